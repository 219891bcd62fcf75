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
		share := ""
		if t.Share > 0 {
			share = fmt.Sprintf(" %.0f %%", 100*t.Share)
		}
		parts = append(parts, fmt.Sprintf("%s%s (block %d)", t.Table, share, t.Blocks))
	}
	return "as of " + strings.Join(parts, ", ") + ", exact for that part"
}
