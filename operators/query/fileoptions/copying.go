package fileoptions

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
)

// CopyOptions returns what the options of a COPY say. It refuses options that there are not, by name.
func CopyOptions(st *sql.Statement) (c Copying, err error) {
	err = setAll(&c, copyOptions, st.Options, strings.ToUpper, func(o sql.Option) error {
		name := strings.ToUpper(o.Name)
		if instead := refusedCopyOptions[o.Name]; instead != "" {
			return sql.Wrong(o.At, "Next: "+instead, "there is no option %s of COPY here", name)
		}
		known := columnar.Each(copyOptions, func(o option[Copying]) string { return strings.ToUpper(o.names[0]) })
		return sql.Wrong(o.At, "There are "+strings.Join(known, ", ")+".", "there is no option %s of COPY", name)
	})
	return c, err
}

// Copying is what the options of a COPY say: the format of its file in lower case, "" if the name of the file says it, and
// how it is written.
type Copying struct {
	columnar.Writing
	Format         string
	ForceQuote, By []*sql.Expr // the columns of FORCE_QUOTE and of PARTITION_BY
}

var copyOptions = []option[Copying]{
	{[]string{"format"}, func(c *Copying, v *sql.Expr) { c.Format = strings.ToLower(wordOf(v)) }},
	{[]string{"delimiter", "delim", "sep"}, func(w *Copying, v *sql.Expr) {
		if w.Delimiter = strings.ReplaceAll(sql.TextOf(v), `\t`, "\t"); w.Delimiter == "" || strings.ContainsAny(w.Delimiter, "\"\r\n") {
			panic(sql.Wrong(v.At, "", "a delimiter is at least one character, and no quote or end of a line"))
		}
	}},
	{[]string{"header"}, func(w *Copying, v *sql.Expr) { w.Headless = !truthOf(v) }},
	{[]string{"quote"}, func(w *Copying, v *sql.Expr) { w.Quote = byteOf(v) }},
	{[]string{"escape"}, func(w *Copying, v *sql.Expr) { w.Escape = byteOf(v) }},
	{[]string{"nullstr", "null"}, func(w *Copying, v *sql.Expr) { w.Null = sql.TextOf(v) }},
	{[]string{"force_quote"}, func(w *Copying, v *sql.Expr) {
		w.ForceQuote = namedColumns(v)
		w.Quoted = columnar.Each(w.ForceQuote, wordOf)
	}},
	{[]string{"dateformat", "date_format"}, func(w *Copying, v *sql.Expr) { w.Date = timeForm(v) }},
	{[]string{"timestampformat", "timestamp_format"}, func(w *Copying, v *sql.Expr) { w.Timestamp = timeForm(v) }},
	{[]string{"compression", "codec"}, func(w *Copying, v *sql.Expr) {
		switch w.Compression = strings.ToLower(wordOf(v)); w.Compression {
		case "auto", "auto_detect":
			w.Compression = ""
		case "none":
			w.Compression = columnar.Uncompressed
		case "gzip", "zstd", "snappy", columnar.Uncompressed:
		default:
			panic(sql.Wrong(v.At, "There are gzip, zstd and uncompressed; for Parquet also snappy.", "there is no compression %q", w.Compression))
		}
	}},
	{[]string{"partition_by"}, func(w *Copying, v *sql.Expr) {
		w.By = namedColumns(v)
		if w.Partition = columnar.Each(w.By, wordOf); slices.Contains(w.Partition, "*") {
			panic(sql.Wrong(v.At, "", "files are divided by some columns, and hold the others"))
		}
	}},
	{[]string{"array"}, func(w *Copying, v *sql.Expr) { w.Array = truthOf(v) }},
	{[]string{"encoding"}, func(_ *Copying, v *sql.Expr) {
		if text := strings.ToLower(wordOf(v)); text != "utf-8" && text != "utf8" {
			panic(sql.Wrong(v.At, "Next: leave it out, and convert the file by iconv.", "files are written in UTF-8"))
		}
	}},
	{[]string{"overwrite", "overwrite_or_ignore", "use_tmp_file", "preserve_order"}, func(_ *Copying, v *sql.Expr) {
		if !truthOf(v) {
			panic(sql.Wrong(v.At, "Next: leave it out.", "a file is replaced as a whole, with its rows in order"))
		}
	}},
	{[]string{"per_thread_output"}, oneFile},
	{[]string{"append"}, oneFile},
	{[]string{"write_partition_columns"}, oneFile},
	{[]string{"return_files"}, oneFile},
	{[]string{"return_stats"}, oneFile},
	// These tune DuckDB's writer. Row groups have 131,072 rows and 16 MiB at most here.
	{[]string{"row_group_size"}, anyWord},
	{[]string{"row_group_size_bytes"}, anyWord},
	{[]string{"row_groups_per_file"}, anyWord},
	{[]string{"compression_level"}, anyWord},
	{[]string{"parquet_version"}, anyWord},
}

// refusedCopyOptions are options of DuckDB that COPY does not take, with what to write instead.
var refusedCopyOptions = map[string]string{
	"filename_pattern": "leave it out, and name the file behind TO.",
	"file_extension":   "leave it out, and name the file behind TO.",
	"file_size_bytes":  "leave it out: the answer is one file.",
	"prefix":           "leave it out, and choose a format.",
	"suffix":           "leave it out, and choose a format.",
}

// oneFile refuses more than a file, or one for each value of PARTITION_BY.
func oneFile(_ *Copying, v *sql.Expr) {
	if truthOf(v) {
		panic(sql.Wrong(v.At, "Next: leave it out; read_csv(['a.csv', 'b.csv']) reads several files together.",
			"a file is written as a whole, or one for each value of PARTITION_BY, whose name says it, and nothing is answered"))
	}
}

// anyWord reads what changes nothing.
func anyWord(_ *Copying, v *sql.Expr) { wordOf(v) }

// wordOf reads a text, with quotes or without, or a number.
func wordOf(v *sql.Expr) string {
	switch {
	case v.Kind == sql.Column && len(v.Path) == 1:
		return v.Path[0]
	case v.Kind == sql.Number:
		return v.Text
	}
	return sql.TextOf(v)
}

// byteOf reads a text of one byte.
func byteOf(v *sql.Expr) string {
	text := sql.TextOf(v)
	if len(text) != 1 || text == "\n" || text == "\r" {
		panic(sql.Wrong(v.At, "", "one character is expected, in ASCII"))
	}
	return text
}

// namedColumns reads the name of a column, several in parentheses, or *.
func namedColumns(v *sql.Expr) []*sql.Expr {
	all := []*sql.Expr{v}
	if v.Kind == sql.Tuple || v.Kind == sql.List {
		all = v.Args
	}
	return columnar.Each(all, func(c *sql.Expr) *sql.Expr { return c.At.Column(wordOf(c)) })
}

// timeForm reads a form as strftime takes it.
func timeForm(v *sql.Expr) string {
	text := sql.TextOf(v)
	if err := expr.CheckForm(text, false); err != nil {
		panic(sql.Wrong(v.At, "", "%v", err))
	}
	return text
}
