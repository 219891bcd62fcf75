package answers

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
	All    int64   `json:"-"` // blocks of the table; 0: that is not known
}
