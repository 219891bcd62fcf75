package protocol

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"analyzer/columnar"
)

func TestNumbersAndKeysComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint64().Draw(t, "n")
		if got, err := DecodeNumber(EncodeNumber(n)); err != nil || got != n {
			t.Errorf("number %d: %d, %v", n, got, err)
		}
		keys := rapid.SliceOf(rapid.Uint64()).Draw(t, "keys")
		if got, err := DecodeKeys(EncodeKeys(keys)); err != nil || !slices.Equal(got, keys) {
			t.Errorf("keys %x: %x, %v", keys, got, err)
		}
	})
	for _, n := range []int{0, 7, 9} {
		if _, err := DecodeNumber(make([]byte, n)); err == nil {
			t.Errorf("a number of %d bytes was read", n)
		}
	}
	if _, err := DecodeKeys(make([]byte, 9)); err == nil {
		t.Error("keys of 9 bytes were read")
	}
}

func TestSchemaHeaderReadsAsTheSchema(t *testing.T) {
	schema := columnar.Schema{{Name: "d", Type: columnar.Decimal}, {Name: "l", Type: columnar.TextList}}
	stream := &messages{{DataHeader: mustSchema(t, schema)}}
	r, err := flight.NewRecordReader(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Schema().Equal(schema.Arrow()) {
		t.Errorf("read %s, wrote %s", r.Schema(), schema.Arrow())
	}
}

func TestReasonsTravelInErrors(t *testing.T) {
	err := Errorf(NotReady, "query %s is not ready", "q1")
	if CodeOf(err) != NotReady || status.Code(err) != codes.FailedPrecondition {
		t.Errorf("reason %q of %v", CodeOf(err), err)
	}
	if got := CodeOf(fmt.Errorf("fetch: %w", err)); got != NotReady {
		t.Errorf("reason %q of a wrapped error", got)
	}
	for _, err := range []error{nil, errors.New("x"), status.Error(codes.Internal, "x")} {
		if CodeOf(err) != "" {
			t.Errorf("%v has reason %q", err, CodeOf(err))
		}
	}
}

func mustSchema(t *testing.T, schema columnar.Schema) []byte {
	t.Helper()
	header, err := SchemaHeader(schema)
	if err != nil {
		t.Fatal(err)
	}
	return header
}

// messages is a stream of messages that were written before.
type messages []*flight.FlightData

func (m *messages) Recv() (*flight.FlightData, error) {
	if len(*m) == 0 {
		return nil, io.EOF
	}
	d := (*m)[0]
	*m = (*m)[1:]
	return d, nil
}
