package protocol

import (
	"bytes"
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
	"analyzer/columnar/wire"
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

func TestSplitAndJoin(t *testing.T) {
	schema := columnar.Schema{{Name: "n", Type: columnar.Int}, {Name: "t", Type: columnar.Text}}
	rows := columnar.NewRows(schema)
	rows.Cols[0].AppendInt(7)
	rows.Cols[1].AppendBytes([]byte("seven"))
	rows.Len = 1
	message, err := wire.Append(nil, schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	header, body, err := Split(message)
	if err != nil {
		t.Fatal(err)
	}
	joined := bytes.Repeat([]byte{0xAA}, JoinedSize(header, body))
	Join(joined, header, body)
	if !bytes.Equal(joined, message) {
		t.Errorf("joined %x, split %x", joined, message)
	}
	// Any client's reader takes them as they are.
	stream := &messages{{DataHeader: mustSchema(t, schema)}, {DataHeader: header, DataBody: body}}
	r, err := flight.NewRecordReader(stream)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	if !r.Next() || r.Record().NumRows() != 1 {
		t.Fatalf("the message does not read as a batch of one row: %v", r.Err())
	}
	if got := columnar.View(schema, r.Record()); got.Cols[0].Ints[0] != 7 || string(got.Cols[1].Bytes(0)) != "seven" {
		t.Errorf("read %v", r.Record())
	}
}

func TestSplitOfOtherBytes(t *testing.T) {
	for _, message := range []string{"x", "12345678", "\xff\xff\xff\xff\x01\x00\x00\x00", "\xff\xff\xff\xff\xff\xff\xff\xff", "\xff\xff\xff\xff\x00\x00\x00"} {
		if _, _, err := Split([]byte(message)); err == nil {
			t.Errorf("%q was split", message)
		}
	}
	if header, body, err := Split(nil); err != nil || header != nil || body != nil {
		t.Errorf("no bytes: %x, %x, %v", header, body, err)
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
	err := Errorf(codes.FailedPrecondition, NotReady, "query %s is not ready", "q1")
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
