package envelope

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"analyzer/shuffle/broker"
)

const (
	magic   = "anxm"
	version = 2

	compressed = 0x80 // flag of a kind

	kindAt = 6
	jobAt  = 8
	nodeAt = 24
	sizeAt = 44
	idAt   = 48
	rowsAt = 56
	hashAt = 64
)

// Append appends a message to dst and returns the extended slice. It borrows the body, and
// compresses it if that makes it much shorter. Errors wrap ErrInvalid or ErrTooLarge; Append
// then returns dst as it was.
func Append(dst []byte, e Envelope, body []byte) ([]byte, error) {
	if len(body) > MaxBody {
		return dst, fmt.Errorf("encode %s: %w: %d bytes, %d are allowed", e, ErrTooLarge, len(body), MaxBody)
	}
	if err := e.check(len(body)); err != nil {
		return dst, fmt.Errorf("encode %s: %w: %w", e, ErrInvalid, err)
	}
	kind, short := byte(e.Kind), buffers.Get().(*[]byte)
	defer buffers.Put(short)
	if compress(short, body) {
		body, kind = *short, kind|compressed
	}
	start := len(dst)
	dst = slices.Grow(dst, HeaderSize+len(body))
	dst = append(dst, magic...)
	dst = binary.LittleEndian.AppendUint16(dst, version)
	dst = append(dst, kind, byte(e.Sender.Kind))
	dst = append(dst, e.Job[:]...)
	for _, n := range [...]int{e.Node, e.Input, e.Replica, e.Sender.Number, e.Sender.Replica, len(body)} {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	dst = binary.LittleEndian.AppendUint64(dst, e.ID)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(e.Rows))
	dst = binary.LittleEndian.AppendUint64(dst, checksum(dst[start:], body))
	return append(dst, body...), nil
}

// Decode returns the envelope and the body of a message, which is the whole of src. The
// body shares the memory of src unless it is compressed. Decode allocates nothing but an
// expanded body, whatever the bytes are. Errors wrap ErrMalformed, ErrVersion, ErrCorrupt or
// ErrTooLarge. A checksum mismatch is reported before the header's fields are checked.
func Decode(src []byte) (Envelope, []byte, error) {
	if len(src) > broker.MaxMessage {
		return Envelope{}, nil, fmt.Errorf("%w: %d bytes, %d are allowed", ErrTooLarge, len(src), broker.MaxMessage)
	}
	if len(src) < HeaderSize {
		return Envelope{}, nil, fmt.Errorf("%w: %d bytes, the header has %d", ErrMalformed, len(src), HeaderSize)
	}
	if string(src[:len(magic)]) != magic {
		return Envelope{}, nil, fmt.Errorf("%w: it begins with %q, not %q", ErrMalformed, src[:len(magic)], magic)
	}
	if v := binary.LittleEndian.Uint16(src[len(magic):]); v != version {
		return Envelope{}, nil, fmt.Errorf("%w: %d, this program has %d", ErrVersion, v, version)
	}
	body := src[HeaderSize:len(src):len(src)]
	hash := checksum(src[:hashAt], body)
	if want := binary.LittleEndian.Uint64(src[hashAt:]); hash != want {
		return Envelope{}, nil, fmt.Errorf("%w: it hashes to %016x, that sent to %016x", ErrCorrupt, hash, want)
	}
	e, err := parse(src[:HeaderSize], len(body))
	if err == nil && src[kindAt]&compressed != 0 {
		body, err = expand(body)
	}
	if err != nil {
		return Envelope{}, nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	return e, body, nil
}

// Cut splits the first message off src, a concatenation of messages, and returns the rest.
// It checks nothing: bytes that are no message are returned whole, so that Decode can say
// what is wrong with them.
func Cut(src []byte) (message, rest []byte) {
	if len(src) < HeaderSize {
		return src, nil
	}
	size := HeaderSize + int64(binary.LittleEndian.Uint32(src[sizeAt:]))
	if size >= int64(len(src)) {
		return src, nil
	}
	return src[:size:size], src[size:]
}

// parse reads the header of a message whose body has size bytes.
func parse(header []byte, size int) (Envelope, error) {
	var n [6]int
	for i := range n {
		n[i] = int(binary.LittleEndian.Uint32(header[nodeAt+4*i:]))
	}
	if n[5] != size {
		return Envelope{}, fmt.Errorf("body of %d bytes, %d were sent", size, n[5])
	}
	rows := binary.LittleEndian.Uint64(header[rowsAt:])
	if rows > MaxRows {
		return Envelope{}, fmt.Errorf("%d rows", rows)
	}
	e := Envelope{
		Job:  JobID(header[jobAt:nodeAt]),
		Node: n[0], Input: n[1], Replica: n[2],
		Sender: Sender{Kind: SenderKind(header[kindAt+1]), Number: n[3], Replica: n[4]},
		Kind:   Kind(header[kindAt] &^ compressed),
		ID:     binary.LittleEndian.Uint64(header[idAt:]),
		Rows:   int(rows),
	}
	return e, e.check(size)
}

// checksum is xxhash64 of the header up to the checksum, and of the body.
func checksum(header, body []byte) uint64 {
	var d xxhash.Digest
	d.Reset()
	d.Write(header)
	d.Write(body)
	return d.Sum64()
}
