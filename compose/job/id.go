package job

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
)

// ID identifies a job: 128 random bits, written as 32 lower-case hex digits. No
// other text is an ID, so that an ID can be part of a path or a queue's name.
type ID [16]byte

// NewID returns a new ID.
func NewID() ID {
	var id ID
	rand.Read(id[:]) // never fails
	return id
}

// ParseID reads an ID.
func ParseID(text string) (ID, error) {
	var id ID
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(id) || hex.EncodeToString(raw) != text {
		return id, fmt.Errorf("%.40q is not a job id: want 32 hex digits, as submit prints them", text)
	}
	copy(id[:], raw)
	return id, nil
}

// String writes the ID.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText writes the ID.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads an ID.
func (id *ID) UnmarshalText(text []byte) error {
	parsed, err := ParseID(string(text))
	if err == nil {
		*id = parsed
	}
	return err
}
