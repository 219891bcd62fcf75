package answers

import (
	"fmt"
	"strings"

	"analyzer/columnar/size"
)

// AsOf is the part of the tables that an answer is exact for.
type AsOf struct {
	Tables   []Part
	Complete bool // it is all of every table
}

// Part is how much of a table was read, from its beginning.
type Part struct {
	Table  string  `json:"-"`
	Blocks int64   `json:"blocks"`
	Bytes  int64   `json:"bytes"` // decompressed, up to the end of the last record
	Rows   int64   `json:"rows"`  // valid ones
	Share  float64 `json:"share,omitempty"`
	All    int64   `json:"-"` // blocks of the whole table; 0: not known
}

// String describes for people what the answers are exact for.
func (a *AsOf) String() string {
	if a.Complete {
		return "complete"
	}
	var parts []string
	for _, t := range a.Tables {
		if t.Blocks == 0 {
			parts = append(parts, t.Table+" (nothing yet)")
			continue
		}
		text, of := t.Table, ""
		if t.Share > 0 {
			text += fmt.Sprintf(" %.0f %%", 100*t.Share)
		}
		if t.All > 0 {
			of = " of " + size.Count(max(t.All, t.Blocks))
		}
		parts = append(parts, fmt.Sprintf("%s (block %s%s)", text, size.Count(t.Blocks), of))
	}
	return "as of " + strings.Join(parts, ", ") + ", exact for that part"
}
