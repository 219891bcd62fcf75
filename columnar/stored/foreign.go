package stored

import (
	"bytes"
	"path"
	"strings"
	"unicode/utf8"
)

// foreign is a kind of file that holds no text of a table.
type foreign struct {
	what string
	hint string
	is   func(head []byte) bool
}

// foreignBytes is how many bytes of a file tell which kind of foreign file it is.
const foreignBytes = 512

const (
	unpack    = "unpack it, and name the file that is in it"
	exportCSV = "save it as CSV there, and name that file"
)

// begins returns a function that reports whether a file begins with one of some texts.
func begins(with ...string) func([]byte) bool {
	return func(head []byte) bool {
		for _, magic := range with {
			if bytes.HasPrefix(head, []byte(magic)) {
				return true
			}
		}
		return false
	}
}

// marked returns a function that reports whether a text begins with one of some marks, behind a
// byte order mark and white space, in any case.
func marked(with ...string) func([]byte) bool {
	is := begins(with...)
	return func(head []byte) bool {
		head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
		return is(bytes.ToLower(head[:min(len(head), 32)]))
	}
}

var foreigners = []foreign{
	{"a Parquet file, which is read from its end, and neither from a pipe nor compressed as a whole", "name the file itself, unpacked", begins("PAR1", "PARE")},
	{"an old Excel workbook (.xls) or another file of Office", exportCSV, begins("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")},
	{"an SQLite database", "write its tables as CSV: sqlite3 -header -csv FILE 'select * from TABLE' > TABLE.csv", begins("SQLite format 3\x00")},
	{"a DuckDB database", "write its tables as files there: COPY TABLE TO 'TABLE.parquet'", func(head []byte) bool { return len(head) >= 12 && string(head[8:12]) == "DUCK" }},
	{"an HTML page", "save its table as CSV, as spreadsheets do with the page's address", marked("<!doctype html", "<html", "<head>", "<table")},
	{"XML", "write its records as CSV or JSON", marked("<?xml")},
	{"an Arrow file, which is read at many places at once, and neither from a pipe nor compressed as a whole", "name the file itself, unpacked", begins("ARROW1\x00\x00", "\xff\xff\xff\xff")},
	{"an old Feather file (version 1)", "write it as Arrow, Feather's version 2, or as Parquet", begins("FEA1")},
	{"an Avro file", "write it as JSON or Parquet", begins("Obj\x01")},
	{"a PDF file", "copy its table into a spreadsheet and save that as CSV", begins("%PDF-")},
	{"a 7z archive", unpack, begins("7z\xbc\xaf\x27\x1c")},
	{"a RAR archive", unpack, begins("Rar!\x1a\x07")},
	{"a tar archive", unpack, func(head []byte) bool { return len(head) >= 262 && string(head[257:262]) == "ustar" }},
}

// foreignOf returns which kind of foreign file begins like this; nil: none.
func foreignOf(head []byte) *foreign {
	for i := range foreigners {
		if foreigners[i].is(head) {
			return &foreigners[i]
		}
	}
	return nil
}

// misnamed returns the error of a file that is named as one of bytes that it does not hold, although it
// holds no text either: a download that broke off, or went wrong. Others are read as what they are.
func misnamed(name string, head []byte) error {
	of := map[string]string{".parquet": "Parquet", ".pq": "Parquet", ".arrow": "Arrow", ".feather": "Feather"}[strings.ToLower(path.Ext(name))]
	whole := head[:max(0, len(head)-utf8.UTFMax)] // a character may be cut off
	if of == "" || utf8.Valid(whole) && bytes.IndexByte(whole, 0) < 0 {
		return nil
	}
	return &InputError{
		File: name, Reason: ReasonUnknown, Detail: "not a file of " + of + ": it begins otherwise",
		Hint: "write or fetch it again; if it holds a table in another form, rename it",
	}
}

// refuse returns the error of a file of that kind.
func (f *foreign) refuse(name string) error {
	return &InputError{File: name, Reason: ReasonUnknown, Detail: "not a CSV file: it is " + f.what, Hint: f.hint}
}
