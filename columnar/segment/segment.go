package segment

import (
	"path/filepath"

	"analyzer/columnar"
)

// Block locates a record batch of a segment file, or several that were written
// together, one after the other.
type Block struct {
	Partition int    `json:"partition"`
	Offset    int64  `json:"offset"` // of its first byte in the file
	Length    int64  `json:"length"` // in bytes
	Rows      int64  `json:"rows"`
	Hash      uint64 `json:"hash"` // xxhash64 of the bytes
}

// Segment is what must be known of a finished segment file to read it: its
// index is kept here and not in the file. It is immutable.
type Segment struct {
	Path   string          `json:"path"` // of the file; a manifest has its name alone
	Schema columnar.Schema `json:"schema"`
	Size   int64           `json:"size"`   // of the file in bytes
	Blocks []Block         `json:"blocks"` // in the order they lie in the file
}

// Name returns the name of the file, by which a Store knows the segment: its
// directory may have another path tomorrow.
func (s *Segment) Name() string { return filepath.Base(s.Path) }
