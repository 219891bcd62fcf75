package columnar

// Dialect says how the text of a CSV file encodes records and fields. The zero value is
// UTF-8 with a header, commas and double quotes.
type Dialect struct {
	// Delimiter ends a field, "" for the comma; Blanks means any number of spaces and tabs,
	// WideBlanks two or more spaces, or a tab.
	Delimiter string `json:"delimiter,omitempty"`
	// Last is the number of the last field, to which all that follows in its line belongs, if Blanks separate fields; 0: they
	// separate all.
	Last int `json:"last,omitempty"`
	// Widths are how many characters each field has, if nothing separates them; nil: a delimiter does. Then there are
	// no quotes either, and spaces around fields are left out, and so are as many characters as a negative one says.
	Widths []int `json:"widths,omitempty"`
	// Quote encloses fields; "" is the double quote. Unquoted means that fields are never quoted.
	Quote    string `json:"quote,omitempty"`
	Unquoted bool   `json:"unquoted,omitempty"`
	// Escape, within quotes, makes the byte after it literal, be it a quote or an escape;
	// "" means that a literal quote is written twice.
	Escape string `json:"escape,omitempty"`
	// Spaced means that spaces before an opening quote, and behind a closing one, are not part of the field.
	Spaced bool `json:"spaced,omitempty"`
	// LineQuotes means that a line may be one cell in double quotes, whose text is the record.
	LineQuotes bool `json:"lineQuotes,omitempty"`
	// Strict means that a quote which does not stand where it should is an error, and that nothing
	// about quotes is guessed.
	Strict bool `json:"strict,omitempty"`
	// Comment is the byte that begins a comment line; "" means no comments.
	Comment string `json:"comment,omitempty"`
	// Trailing means that the comment also begins one behind a record, if blanks stand on both sides of it.
	Trailing bool `json:"trailing,omitempty"`
	// Skip is how many lines to leave out at the beginning of the file.
	Skip int `json:"skip,omitempty"`
	// Encoding is the encoding of the text, one of the names in stored.Encodings; "" is UTF-8,
	// or UTF-16 if the file begins with its byte order mark.
	Encoding string `json:"encoding,omitempty"`
	// Sheet is the name of the sheet in a workbook; "" is the first.
	Sheet string `json:"sheet,omitempty"`
	// Pad is the least number of fields of a record: shorter ones are filled up with empty fields.
	Pad int `json:"pad,omitempty"`
	// Fields is how many fields a record has, if the header or, in a file without one, the first
	// record has another number; 0 means as many.
	Fields int `json:"fields,omitempty"`
	// Omit are lines that hold no rows, such as notes behind the table, in ascending order.
	Omit []Lines `json:"omit,omitempty"`
	// Repeated means that records which repeat the header, of at least two names, are no rows.
	Repeated bool `json:"repeated,omitempty"`
	// Headless means that the first record is a row. TableColumn.Field then locates columns.
	Headless bool `json:"headless,omitempty"`
}

// Blanks is the Delimiter of files whose columns are separated by runs of spaces and tabs.
const Blanks = `\s+`

// WideBlanks is the Delimiter of files with aligned columns, in whose fields single spaces may stand.
const WideBlanks = `\s{2,}`

// IsBlanks reports whether a delimiter is runs of spaces and tabs.
func IsBlanks(delimiter string) bool { return delimiter == Blanks || delimiter == WideBlanks }

// Lines are the physical lines of a file from From to To, from 1; if To is 0, to the end.
type Lines struct {
	From int64 `json:"from"`
	To   int64 `json:"to,omitempty"`
}

// Has reports whether a line is among them.
func (l Lines) Has(line int64) bool { return line >= l.From && (line <= l.To || l.To == 0) }
