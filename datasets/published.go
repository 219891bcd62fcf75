package datasets

// Published is what the world knows of a data set's full files.
type Published struct {
	// Rows is how many rows each table has, rejected ones included. Copies
	// differ by a little, so it tells a full file from a part of one, no more.
	Rows    map[string]int64  `json:"rows"`
	Answers []PublishedAnswer `json:"answers"`
}

// PublishedAnswer is what is known of one query's answer over the full files
// with the default parameters. Copies of the files are told apart by which
// alternative of an answer they give.
type PublishedAnswer struct {
	Query string `json:"query"`
	// Why says why the answer, or a part of it, cannot be compared; empty when
	// all of it can.
	Why string `json:"why,omitempty"`
	// Alternatives are the answers known, one for each copy of the files. None
	// means that there is nothing to compare.
	Alternatives []Alternative `json:"alternatives,omitempty"`
}

// Alternative is one copy's answer.
type Alternative struct {
	Copy string `json:"copy,omitempty"` // which files; empty for the usual ones
	// Count is the number of rows.
	Count int `json:"count"`
	// Columns are the columns that are known. No columns: only Count is.
	Columns []string `json:"columns,omitempty"`
	// Rows hold the values of Columns as text: numbers in plain digits, and a
	// text that ends in "…" for any value that begins with what precedes it.
	Rows [][]string `json:"rows,omitempty"`
	// Ordered tells that the rows are in the answer's order. Otherwise they are
	// a set.
	Ordered bool `json:"ordered,omitempty"`
}
