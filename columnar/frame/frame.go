// Package frame wraps blocks of bytes in frames, which show whether a block was written
// completely and unchanged: a length, and checksums of the header and of the bytes.
//
//	offset 0   length of the payload, uint64 little endian
//	offset 8   xxhash64 of the payload
//	offset 16  xxhash64 of bytes 0 to 15
//	offset 24  payload
//
// The header has its own checksum for two reasons. A length can be trusted before
// memory is allocated for it, and a frame that was cut off (ErrTorn, as a crash leaves
// at the end of a file) can be distinguished from one whose length was changed
// (ErrCorrupt). Only missing bytes at the end count as torn: bytes that are present and
// wrong are always corrupt.
//
// xxhash64 detects faults of disks and networks. It is no defence against forged
// frames; the bound on the length is for that.
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
	// ErrTorn is wrapped by the error for a frame that the end of the bytes cuts off.
	ErrTorn = errors.New("torn frame")

	// ErrCorrupt is wrapped by the error for bytes that are not a frame, or for a frame
	// that is longer than allowed.
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

// Decode takes the first frame off src. It returns the payload, which shares src's
// memory, and the bytes after the frame. No payload may be longer than limit bytes. If
// src is empty, the error is io.EOF; other errors wrap ErrTorn or ErrCorrupt.
func Decode(src []byte, limit int) (payload, rest []byte, err error) {
	if len(src) == 0 {
		return nil, nil, io.EOF
	}
	if len(src) < HeaderSize {
		return nil, nil, fmt.Errorf("%w: %d bytes of its header", ErrTorn, len(src))
	}
	length, hash := binary.LittleEndian.Uint64(src), binary.LittleEndian.Uint64(src[8:])
	if xxhash.Sum64(src[:16]) != binary.LittleEndian.Uint64(src[16:]) {
		return nil, nil, fmt.Errorf("%w: the header does not match its checksum", ErrCorrupt)
	}
	if limit < 0 || length > uint64(limit) {
		return nil, nil, fmt.Errorf("%w: %d bytes, %d are allowed", ErrCorrupt, length, limit)
	}
	src = src[HeaderSize:]
	if uint64(len(src)) < length {
		return nil, nil, fmt.Errorf("%w: %d of %d bytes", ErrTorn, len(src), length)
	}
	payload, rest = src[:length:length], src[length:]
	if xxhash.Sum64(payload) != hash {
		return nil, nil, fmt.Errorf("%w: %d bytes do not match their checksum", ErrCorrupt, len(payload))
	}
	return payload, rest, nil
}
