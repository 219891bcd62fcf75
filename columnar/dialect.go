package columnar

// Dialect says how the text of a CSV file stands for records and fields. The zero value
// is a file with a header, of UTF-8, commas and double quotes.
type Dialect struct {
	// Delimiter ends a field, "" for the comma; Blanks means any number of spaces and tabs.
	Delimiter string `json:"delimiter,omitempty"`
	// Quote stands around fields, "" for the double quote; Unquoted means that nothing does.
	Quote    string `json:"quote,omitempty"`
	Unquoted bool   `json:"unquoted,omitempty"`
	// Escape stands before a byte within quotes that is no quote, or no escape, then;
	// "" means that a quote is written twice.
	Escape string `json:"escape,omitempty"`
	// Spaced means that spaces before a quote are not of the field.
	Spaced bool `json:"spaced,omitempty"`
	// Comment is what lines begin with that are none of the table; "": all are.
	Comment string `json:"comment,omitempty"`
	// Skip is how many lines at the beginning are none of the table.
	Skip int `json:"skip,omitempty"`
	// Encoding is that of the text, by one of the names of csv.Encodings; "" is UTF-8, or
	// UTF-16 if the file begins with its mark.
	Encoding string `json:"encoding,omitempty"`
	// Pad is how many fields a record has at least: behind fewer there are empty ones.
	Pad int `json:"pad,omitempty"`
	// Headless means that the first record is a row. Columns are then found by Field.
	Headless bool `json:"headless,omitempty"`
}

// Blanks is the Delimiter of columns that are set apart by spaces and tabs.
const Blanks = `\s+`
