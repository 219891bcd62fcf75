package protocol

import (
	"encoding/binary"
	"fmt"
)

// EncodeNumber writes the number of a batch or page as application metadata:
// eight bytes, little endian.
func EncodeNumber(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// DecodeNumber reads what EncodeNumber wrote.
func DecodeNumber(metadata []byte) (uint64, error) {
	if len(metadata) != 8 {
		return 0, fmt.Errorf("application metadata of %d bytes; a number has 8", len(metadata))
	}
	return binary.LittleEndian.Uint64(metadata), nil
}

// EncodeKeys writes key hashes as the second result of keys: eight bytes each,
// little endian.
func EncodeKeys(hashes []uint64) []byte {
	out := make([]byte, 0, 8*len(hashes))
	for _, h := range hashes {
		out = binary.LittleEndian.AppendUint64(out, h)
	}
	return out
}

// DecodeKeys reads what EncodeKeys wrote.
func DecodeKeys(data []byte) ([]uint64, error) {
	if len(data)%8 != 0 {
		return nil, fmt.Errorf("key hashes of %d bytes; each has 8", len(data))
	}
	out := make([]uint64, len(data)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return out, nil
}

// Arrow's encapsulated message, as package wire writes it and segments hold it,
// begins with a marker and the length of the metadata; in a FlightData message
// metadata and body are fields of their own.
const (
	prefixSize   = 8
	continuation = 0xFFFFFFFF
	alignment    = 8
)

// Split cuts an encapsulated message, such as wire.Append makes, into the header
// and body of a FlightData, which share its memory. No bytes, which stand for no
// rows, give neither.
func Split(message []byte) (header, body []byte, err error) {
	if len(message) == 0 {
		return nil, nil, nil
	}
	if len(message) < prefixSize || binary.LittleEndian.Uint32(message) != continuation {
		return nil, nil, fmt.Errorf("%d bytes that are no Arrow message", len(message))
	}
	end := prefixSize + int64(binary.LittleEndian.Uint32(message[4:]))
	if end > int64(len(message)) {
		return nil, nil, fmt.Errorf("metadata of %d bytes in a message of %d", end-prefixSize, len(message))
	}
	return message[prefixSize:end:end], message[end:], nil
}

// JoinedSize is how many bytes Join makes.
func JoinedSize(header, body []byte) int { return prefixSize + paddedSize(header) + len(body) }

// Join is the inverse of Split: it writes the encapsulated message to dst, which
// has JoinedSize bytes. The header is padded to a multiple of 8 bytes.
func Join(dst, header, body []byte) {
	padded := paddedSize(header)
	binary.LittleEndian.PutUint32(dst, continuation)
	binary.LittleEndian.PutUint32(dst[4:], uint32(padded))
	copy(dst[prefixSize:], header)
	clear(dst[prefixSize+len(header) : prefixSize+padded])
	copy(dst[prefixSize+padded:], body)
}

func paddedSize(header []byte) int { return (len(header) + alignment - 1) &^ (alignment - 1) }
