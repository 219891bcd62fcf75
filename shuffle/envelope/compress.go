package envelope

import (
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
)

const (
	// leastCompressed is how many bytes a body has at least that is compressed: less is
	// no work for a broker.
	leastCompressed = 4 << 10
	// leastSaved is what part of a body has to be saved.
	leastSaved = 8
)

// buffers are what bodies are compressed into.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// compress writes a body in fewer bytes to a buffer, and reports whether that is worth
// expanding it again.
func compress(dst *[]byte, body []byte) bool {
	if len(body) < leastCompressed {
		return false
	}
	*dst = s2.Encode((*dst)[:cap(*dst)], body)
	return len(*dst) <= len(body)-len(body)/leastSaved
}

// expand returns what was compressed, in memory that begins at a multiple of 8 bytes and
// of which there is never more than a body may have.
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
