package envelope

import (
	"bytes"
	"errors"
	"testing"
)

// FuzzDecode checks that any message that Decode accepts is an encoding of what Decode
// returns, the only one if the body is too short to be compressed. Each input is also tried
// with a valid checksum.
func FuzzDecode(f *testing.F) {
	f.Add([]byte{}, false)
	f.Add(mustAppend(f, sample, []byte("abc")), true)
	f.Add(mustAppend(f, Envelope{Kind: End, Sender: ScanSender(1, 0), ID: 3}, nil), true)
	f.Add(mustAppend(f, Envelope{Kind: Data, Sender: ScanSender(1, 0)}, nil), false)
	f.Add(mustAppend(f, sample, states(leastCompressed)), true)
	f.Fuzz(func(t *testing.T, src []byte, sign bool) {
		if sign && len(src) >= HeaderSize {
			src = signed(src)
		}
		e, body, err := Decode(src)
		if err != nil {
			for _, kind := range []error{ErrMalformed, ErrVersion, ErrCorrupt, ErrTooLarge} {
				if errors.Is(err, kind) {
					return
				}
			}
			t.Fatalf("error %v", err)
		}
		again, err := Append(nil, e, body)
		if err != nil || len(body) < leastCompressed && !bytes.Equal(again, src) {
			t.Fatalf("%x decodes to %v, which encodes to %x, %v", src, e, again, err)
		}
		if f, same, err := Decode(again); err != nil || f != e || !bytes.Equal(same, body) {
			t.Fatalf("%x decodes to %v, and %x to %v, %v", src, e, again, f, err)
		}
	})
}
