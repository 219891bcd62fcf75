package segment

import (
	"path/filepath"

	"analyzer/columnar"
)

// Block locates a record batch in a segment file, or several consecutive ones that were
// written together.
type Block struct {
	Partition int    `json:"partition"`
	Offset    int64  `json:"offset"` // of its first byte in the file
	Length    int64  `json:"length"` // in bytes
	Rows      int64  `json:"rows"`
	Hash      uint64 `json:"hash"` // xxhash64 of the bytes
}

// Segment is the index of a finished segment file, which is needed to read the file and
// is not kept in it. It is immutable.
type Segment struct {
	Path   string          `json:"path"` // of the file; in a manifest, only its name
	Schema columnar.Schema `json:"schema"`
	Size   int64           `json:"size"`   // of the file in bytes
	Blocks []Block         `json:"blocks"` // in the order of the file
}

// Name returns the name of the file. A Store identifies segments by name, since the path
// of its directory may change.
func (s *Segment) Name() string { return filepath.Base(s.Path) }
