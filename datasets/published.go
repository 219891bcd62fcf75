package datasets

// Published is what is publicly known about a data set's full files.
type Published struct {
	// Rows is how many rows each table has, including rejected ones. Copies of the
	// files differ a little, so it only tells a full file from a part of one.
	Rows    map[string]int64  `json:"rows"`
	Answers []PublishedAnswer `json:"answers"`
}

// PublishedAnswer is what is known about one query's answer over the full files
// with the default parameters. Copies of the files differ; the alternative that an
// answer matches tells which copy it is of.
type PublishedAnswer struct {
	Query string `json:"query"`
	// Why says why the answer, or a part of it, cannot be compared; empty when
	// all of it can.
	Why string `json:"why,omitempty"`
	// Alternatives are the known answers, one for each copy of the files. If there are
	// none, there is nothing to compare.
	Alternatives []Alternative `json:"alternatives,omitempty"`
}

// Alternative is one copy's answer.
type Alternative struct {
	Copy string `json:"copy,omitempty"` // which files; empty for the usual ones
	// Count is the number of rows.
	Count int `json:"count"`
	// Columns are the columns whose values are known; if there are none, only Count is known.
	Columns []string `json:"columns,omitempty"`
	// Rows hold the values of Columns as text: numbers in plain digits, and a
	// text that ends in "…" for any value that begins with what precedes it.
	Rows [][]string `json:"rows,omitempty"`
	// Ordered means that the rows are in the order of the answer. Otherwise their order
	// does not matter.
	Ordered bool `json:"ordered,omitempty"`
}
