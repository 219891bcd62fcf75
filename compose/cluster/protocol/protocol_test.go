package protocol

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"pgregory.net/rapid"

	"analyzer/compose/session/fault"
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

// A program of another release is told which one to use.
func TestAnotherVersion(t *testing.T) {
	_, err := DecodeSpec(fmt.Appendf(nil, `{"id": "00112233445566778899aabbccddeeff", "version": %d, "plan": 7}`, Oldest-1))
	if known, ok := errors.AsType[*fault.Error](err); !ok || !strings.Contains(known.Hint, "the release of analyzer that the cluster runs") {
		t.Error(err)
	}
}
