package columnar

// Dialect says how the text of a CSV file encodes records and fields. The zero value is
// UTF-8 with a header, commas and double quotes.
type Dialect struct {
	// Delimiter ends a field, "" for the comma; Blanks means any number of spaces and tabs.
	Delimiter string `json:"delimiter,omitempty"`
	// Quote encloses fields; "" is the double quote. Unquoted means that fields are never quoted.
	Quote    string `json:"quote,omitempty"`
	Unquoted bool   `json:"unquoted,omitempty"`
	// Escape, within quotes, makes the byte after it literal, be it a quote or an escape;
	// "" means that a literal quote is written twice.
	Escape string `json:"escape,omitempty"`
	// Spaced means that spaces before an opening quote are not part of the field.
	Spaced bool `json:"spaced,omitempty"`
	// Comment is the byte that begins a comment line; "" means no comments.
	Comment string `json:"comment,omitempty"`
	// Skip is how many lines to leave out at the beginning of the file.
	Skip int `json:"skip,omitempty"`
	// Encoding is the encoding of the text, one of the names in csv.Encodings; "" is UTF-8,
	// or UTF-16 if the file begins with its byte order mark.
	Encoding string `json:"encoding,omitempty"`
	// Pad is the least number of fields of a record: shorter ones are filled up with empty fields.
	Pad int `json:"pad,omitempty"`
	// Headless means that the first record is a row. TableColumn.Field then locates columns.
	Headless bool `json:"headless,omitempty"`
}

// Blanks is the Delimiter of files whose columns are separated by runs of spaces and tabs.
const Blanks = `\s+`
