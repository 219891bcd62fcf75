package job

import (
	"crypto/rand"

	"analyzer/shuffle/envelope"
)

// ID identifies a job: 128 random bits, written as 32 lower-case hex digits. No
// other text is an ID, so that one can be part of a path or a queue's name.
type ID = envelope.JobID

// NewID returns a new ID.
func NewID() ID {
	var id ID
	rand.Read(id[:]) // never fails
	return id
}

// ParseID reads an ID as String writes it.
func ParseID(text string) (ID, error) { return envelope.ParseJobID(text) }
