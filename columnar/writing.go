package columnar

// Writing says how an answer is written to a file. The zero value is CSV with a header, commas and
// double quotes where they are needed, and other formats as usual.
type Writing struct {
	Delimiter string `json:"delimiter,omitempty"` // a byte or more; "": a comma
	Quote     string `json:"quote,omitempty"`     // a byte; "": a double quote
	// Escape is the byte before a quote, or itself, within quotes; "": quotes are doubled.
	Escape   string `json:"escape,omitempty"`
	Null     string `json:"null,omitempty"`
	Headless bool   `json:"headless,omitempty"`
	// Quoted are the columns of which all values that are not null are in quotes; * is all.
	Quoted []string `json:"quoted,omitempty"`
	// Date and Timestamp are the forms of such values, as strftime takes them.
	Date      string `json:"date,omitempty"`
	Timestamp string `json:"timestamp,omitempty"`
	// Compression is gzip or zstd for formats of text; also snappy or Uncompressed for Parquet.
	Compression string `json:"compression,omitempty"`
	// Array means that rows in JSON are the items of an array, and not each on a line by itself.
	Array bool `json:"array,omitempty"`
	// Partition are the columns for whose values there are directories with a file each.
	Partition []string `json:"partition,omitempty"`
}

// Uncompressed is the name of no compression.
const Uncompressed = "uncompressed"
