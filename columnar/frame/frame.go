package frame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/cespare/xxhash/v2"
)

// HeaderSize is how many bytes a frame adds to its payload.
const HeaderSize = 24

var (
	// ErrTorn is wrapped by the error of a frame that the bytes end within.
	ErrTorn = errors.New("torn frame")

	// ErrCorrupt is wrapped by the error of bytes that are no frame, or one that
	// is longer than allowed.
	ErrCorrupt = errors.New("corrupt frame")
)

// Append appends payload in a frame to dst and returns the longer slice.
func Append(dst, payload []byte) []byte {
	start := len(dst)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(payload)))
	dst = binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(payload))
	dst = binary.LittleEndian.AppendUint64(dst, xxhash.Sum64(dst[start:]))
	return append(dst, payload...)
}

// Decode takes the first frame off src and returns its payload, which shares
// src's memory, and what follows. No payload may be longer than limit bytes. The
// end of src is io.EOF; other errors wrap ErrTorn or ErrCorrupt.
func Decode(src []byte, limit int) (payload, rest []byte, err error) {
	if len(src) == 0 {
		return nil, nil, io.EOF
	}
	if len(src) < HeaderSize {
		return nil, nil, fmt.Errorf("%w: %d bytes of its header", ErrTorn, len(src))
	}
	head, err := parse(src[:HeaderSize], limit)
	if err != nil {
		return nil, nil, err
	}
	src = src[HeaderSize:]
	if len(src) < head.length {
		return nil, nil, fmt.Errorf("%w: %d of %d bytes", ErrTorn, len(src), head.length)
	}
	payload, rest = src[:head.length:head.length], src[head.length:]
	if err := head.check(payload); err != nil {
		return nil, nil, err
	}
	return payload, rest, nil
}

// Read reads the next frame from src and returns its payload, newly allocated.
// It reads no byte beyond the frame, so src should be buffered. No payload may
// be longer than limit bytes. The end of src is io.EOF; other errors wrap ErrTorn,
// ErrCorrupt or the error of src.
func Read(src io.Reader, limit int) ([]byte, error) {
	var header [HeaderSize]byte
	n, err := io.ReadFull(src, header[:])
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%w: %d bytes of its header", ErrTorn, n)
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case err != nil:
		return nil, fmt.Errorf("read frame: %w", err)
	}
	head, err := parse(header[:], limit)
	if err != nil {
		return nil, err
	}
	payload := make([]byte, head.length)
	n, err = io.ReadFull(src, payload)
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%w: %d of %d bytes", ErrTorn, n, head.length)
	case err != nil:
		return nil, fmt.Errorf("read frame: %w", err)
	}
	if err := head.check(payload); err != nil {
		return nil, err
	}
	return payload, nil
}

// header is what is known of a frame before its payload.
type header struct {
	length int
	hash   uint64
}

func parse(data []byte, limit int) (header, error) {
	length := binary.LittleEndian.Uint64(data)
	if xxhash.Sum64(data[:16]) != binary.LittleEndian.Uint64(data[16:]) {
		return header{}, fmt.Errorf("%w: the header does not match its checksum", ErrCorrupt)
	}
	if limit < 0 || length > uint64(limit) {
		return header{}, fmt.Errorf("%w: %d bytes, %d are allowed", ErrCorrupt, length, limit)
	}
	return header{length: int(length), hash: binary.LittleEndian.Uint64(data[8:])}, nil
}

func (h header) check(payload []byte) error {
	if xxhash.Sum64(payload) != h.hash {
		return fmt.Errorf("%w: %d bytes do not match their checksum", ErrCorrupt, len(payload))
	}
	return nil
}
