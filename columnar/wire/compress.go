package wire

import (
	"fmt"
	"slices"

	"github.com/apache/arrow/go/v17/arrow/memory"
	"github.com/klauspost/compress/s2"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
)

// compressedMagic begins a compressed body. A message begins with four bytes of
// 0xFF.
const compressedMagic = "ans2"

// MaxExpanded is how many bytes a body that was compressed has at most. A longer
// one is sent as it is, if it can be.
const MaxExpanded = 64 << 20

// Compress appends a body to dst, compressed if that takes an eighth off it and
// as it is if not, and returns the longer slice; body is not a part of dst.
// Decode reads either. It pays where the way to the receiver is slower than some
// 300 MB/s for one sender (BenchmarkCompress): names and counts shrink to 40 %,
// numbers at random do not and cost next to nothing to try.
//
// Equal bodies may be compressed to different bytes on different machines.
func Compress(dst, body []byte) []byte {
	bound := s2.MaxEncodedLen(len(body))
	if len(body) == 0 || len(body) > MaxExpanded || bound < 0 {
		return append(dst, body...)
	}
	start := len(dst)
	dst = slices.Grow(dst, len(compressedMagic)+bound)
	dst = append(dst, compressedMagic...)
	block := s2.Encode(dst[len(dst):len(dst)+bound], body)
	if len(compressedMagic)+len(block) > len(body)-len(body)/8 {
		return append(dst[:start], body...)
	}
	return dst[:len(dst)+len(block)]
}

func compressed(body []byte) bool {
	return len(body) >= len(compressedMagic) && string(body[:len(compressedMagic)]) == compressedMagic
}

// expand returns what a compressed body was. The caller releases it.
func expand(body []byte, alloc columnar.Allocator) (*memory.Buffer, error) {
	block := body[len(compressedMagic):]
	size, err := s2.DecodedLen(block)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ipc.ErrMalformed, err)
	}
	if size == 0 || size > MaxExpanded {
		return nil, fmt.Errorf("%w: %d bytes, compressed", ipc.ErrMalformed, size)
	}
	out := memory.NewResizableBuffer(alloc)
	out.Resize(size)
	if _, err := s2.Decode(out.Bytes(), block); err != nil {
		out.Release()
		return nil, fmt.Errorf("%w: %w", ipc.ErrMalformed, err)
	}
	return out, nil
}
