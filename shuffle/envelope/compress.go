package envelope

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
)

const (
	// leastCompressed is the smallest body, in bytes, that is compressed: smaller ones cost
	// a broker little.
	leastCompressed = 4 << 10
	// leastSaved: compression must save at least one byte in leastSaved.
	leastSaved = 8
)

// buffers hold compressed bodies until they are copied into a message.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// compress compresses a body into a buffer, and reports whether it saves enough to be worth
// expanding again.
func compress(dst *[]byte, body []byte) bool {
	if len(body) < leastCompressed {
		return false
	}
	*dst = s2.Encode((*dst)[:cap(*dst)], body)
	return len(*dst) <= len(body)-len(body)/leastSaved
}

// expand returns the decompressed body. Its memory is aligned to 8 bytes, and never exceeds
// the bound of a body.
func expand(body []byte) ([]byte, error) {
	size, err := s2.DecodedLen(body)
	if err == nil && (size < leastCompressed || size > MaxBody) {
		err = fmt.Errorf("%d bytes", size)
	}
	if err == nil {
		body, err = s2.Decode(make([]byte, size), body)
	}
	if err != nil {
		return nil, fmt.Errorf("expand the body: %w", err)
	}
	return body, nil
}
