package answers

import (
	"fmt"
	"strings"
)

// AsOf is the part of the tables that an answer is exact for.
type AsOf struct {
	Tables   []Part
	Complete bool // there is no more of any table
}

// Part is how much of a table was read, from its beginning.
type Part struct {
	Table  string  `json:"-"`
	Blocks int64   `json:"blocks"`
	Bytes  int64   `json:"bytes"` // decompressed, up to the end of the last record
	Rows   int64   `json:"rows"`  // valid ones
	Share  float64 `json:"share,omitempty"`
}

// String says it for people.
func (a *AsOf) String() string {
	if a.Complete {
		return "complete"
	}
	var parts []string
	for _, t := range a.Tables {
		switch {
		case t.Blocks == 0:
			parts = append(parts, t.Table+" (nothing yet)")
		case t.Share > 0:
			parts = append(parts, fmt.Sprintf("%s %.0f %% (block %d)", t.Table, 100*t.Share, t.Blocks))
		default:
			parts = append(parts, fmt.Sprintf("%s (block %d)", t.Table, t.Blocks))
		}
	}
	return "as of " + strings.Join(parts, ", ") + ", exact for that part"
}
