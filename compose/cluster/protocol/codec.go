package protocol

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"

	"google.golang.org/grpc/metadata"
)

// EncodeNumber encodes the number of a batch or page as application metadata:
// eight bytes, little endian.
func EncodeNumber(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }

// DecodeNumber reads what EncodeNumber wrote.
func DecodeNumber(metadata []byte) (uint64, error) {
	if len(metadata) != 8 {
		return 0, fmt.Errorf("application metadata of %d bytes; a number has 8", len(metadata))
	}
	return binary.LittleEndian.Uint64(metadata), nil
}

// EncodeKeys encodes key hashes as the second result of ActionKeys: eight bytes each,
// little endian.
func EncodeKeys(hashes []uint64) []byte {
	out, _ := binary.Append(make([]byte, 0, 8*len(hashes)), binary.LittleEndian, hashes) // fails only for types without a fixed size
	return out
}

// DecodeKeys reads what EncodeKeys wrote.
func DecodeKeys(data []byte) ([]uint64, error) {
	if len(data)%8 != 0 {
		return nil, fmt.Errorf("key hashes of %d bytes; each has 8", len(data))
	}
	out := make([]uint64, len(data)/8)
	_, err := binary.Decode(data, binary.LittleEndian, out)
	return out, err
}

// AuthorizationKey is the metadata key that a token is sent under.
const AuthorizationKey = "authorization"

// BearerPrefix precedes the token.
const BearerPrefix = "Bearer "

// TokenOf returns the token of an authorization header; ok is false if it has another scheme. Names of schemes have
// any case (RFC 9110).
func TokenOf(header string) (token string, ok bool) {
	if len(header) < len(BearerPrefix) || !strings.EqualFold(header[:len(BearerPrefix)], BearerPrefix) {
		return "", false
	}
	return header[len(BearerPrefix):], true
}

// Anyone is the owner of all jobs at a gateway that requires no tokens.
const Anyone = "anyone"

// WithToken returns a context whose outgoing calls carry a token; none if token is "".
func WithToken(ctx context.Context, token string) context.Context {
	if token == "" {
		return ctx
	}
	return metadata.AppendToOutgoingContext(ctx, AuthorizationKey, BearerPrefix+token)
}
