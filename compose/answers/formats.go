package answers

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is how answers are written.
type Format string

// The formats.
const (
	Table    Format = "table"
	CSV      Format = "csv"
	TSV      Format = "tsv"
	JSON     Format = "json"
	JSONL    Format = "jsonl"
	Markdown Format = "markdown"
	Arrow    Format = "arrow"
	Parquet  Format = "parquet"
)

// form is what there is to know about a format.
type form struct {
	name      Format
	extension string // of files in it
	media     string // the media type of a stream in it
	binary    bool   // a stream is not for terminals, and holds one answer only
	encoder   func(w io.Writer, o Options, file bool) encoder
}

// forms are all formats.
func forms() []form {
	return []form{
		{name: Table, extension: ".txt", media: "text/plain; charset=utf-8", encoder: func(w io.Writer, o Options, _ bool) encoder { return newTable(w, o) }},
		{name: CSV, extension: ".csv", media: "text/csv; charset=utf-8", encoder: func(w io.Writer, o Options, _ bool) encoder { return newCSV(w, o, ",") }},
		{name: TSV, extension: ".tsv", media: "text/tab-separated-values; charset=utf-8", encoder: func(w io.Writer, o Options, _ bool) encoder { return newCSV(w, o, "\t") }},
		{name: JSON, extension: ".json", media: "application/json", encoder: func(w io.Writer, _ Options, _ bool) encoder { return newJSON(w) }},
		{name: JSONL, extension: ".jsonl", media: "application/jsonl", encoder: func(w io.Writer, o Options, _ bool) encoder { return newJSONL(w, o) }},
		{name: Markdown, extension: ".md", media: "text/markdown; charset=utf-8", encoder: func(w io.Writer, o Options, _ bool) encoder { return newMarkdown(w, o) }},
		{name: Arrow, extension: ".arrow", media: "application/vnd.apache.arrow.stream", binary: true, encoder: func(w io.Writer, _ Options, file bool) encoder {
			return &paged{encoder: &arrowEncoder{out: w, stream: !file}}
		}},
		{name: Parquet, extension: ".parquet", media: "application/vnd.apache.parquet", binary: true, encoder: func(w io.Writer, o Options, _ bool) encoder {
			return &paged{encoder: &parquetEncoder{out: w, codec: parquetCodecs[o.Writing.Compression]}}
		}},
	}
}

// form finds the format; there is none of another name than ParseFormat takes.
func (f Format) form() (form, bool) {
	all := forms()
	i := slices.IndexFunc(all, func(a form) bool { return a.name == f })
	if i < 0 {
		return form{}, false
	}
	return all[i], true
}

// Formats returns the names of all formats.
func Formats() (names []string) {
	for _, f := range forms() {
		names = append(names, string(f.name))
	}
	return names
}

// Binary reports whether the format is not for terminals; a stream in it holds one answer only.
func (f Format) Binary() bool {
	found, _ := f.form()
	return found.binary
}

// Media returns the media type of a stream in the format.
func (f Format) Media() string {
	found, _ := f.form()
	return found.media
}

// Extension returns the extension of files in the format, with its point.
func (f Format) Extension() string {
	found, _ := f.form()
	return found.extension
}

// ParseFormat finds a format by its name; its error lists the formats there are.
func ParseFormat(name string) (Format, error) {
	if found, ok := Format(name).form(); ok {
		return found.name, nil
	}
	return "", fmt.Errorf("there is no format %q; there are %s", name, strings.Join(Formats(), ", "))
}

// FormatOf returns the format that the extension of a file's name stands for: .txt for none, since it says nothing
// of what programs are to read.
func FormatOf(file string) (f Format, ok bool) {
	file = strings.ToLower(file)
	for _, f := range forms() {
		if f.name != Table && strings.HasSuffix(file, f.extension) {
			return f.name, true
		}
	}
	return JSONL, strings.HasSuffix(file, ".ndjson")
}
