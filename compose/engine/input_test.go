package engine_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/plan"
)

// samplesWith is all queries of a data set over its samples, with another file for one table.
func samplesWith(d *datasets.Dataset, table string, open func() (vfs.File, error)) job {
	j := ofDataset(d, vfs.ReadOnly(d.Samples), "", "")
	samples := j.open
	j.open = func(name string) (vfs.File, error) {
		if name == table {
			return open()
		}
		return samples(name)
	}
	return j
}

func content(t *testing.T, text []byte) func() (vfs.File, error) {
	fs := vfs.NewMem()
	writeFile(t, fs, "/table.csv", text)
	return func() (vfs.File, error) { return fs.Open("/table.csv") }
}

func sample(t *testing.T, d *datasets.Dataset, table *columnar.Table) []byte {
	t.Helper()
	f, err := d.Samples.Open(table.Files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func gzipped(t *testing.T, text []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(text)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestFilesThatAreNotTheTable replaces each table of each data set by files that are
// something else. The error is an input error, names the file, and has a distinct reason
// for each kind of file.
func TestFilesThatAreNotTheTable(t *testing.T) {
	everyTable(t, func(t *testing.T, d *datasets.Dataset, table *columnar.Table) {
		text := sample(t, d, table)
		required := ""
		for _, c := range table.Columns {
			if c.Required {
				required = c.Header
			}
		}
		header, rest, _ := bytes.Cut(text, []byte("\n"))
		lacking := bytes.Replace(header, []byte(required), []byte("Nothing"), 1)
		packed := gzipped(t, bytes.Repeat(text, 3))
		for reason, text := range map[string][]byte{
			scan.ReasonDelimiter:      bytes.ReplaceAll(text, []byte(","), []byte(";")),
			"empty-file":              nil,
			"not-a-csv-file":          append([]byte("\x7fELF\x02\x01\x01\x00\x00"), bytes.Repeat([]byte{0, 1, 2, 3, 255}, 10_000)...),
			scan.ReasonMissingColumns: joinedBytes(lacking, "\n", rest),
			scan.ReasonRepeatedColumn: joinedBytes(bytes.TrimSuffix(header, []byte("\r")), ","+required+"\n", rest),
			"damaged":                 packed[:len(packed)-20],
		} {
			j := samplesWith(d, table.Name, content(t, text))
			got := j.run(t, t.Context(), engine.Options{Replicas: 2, BlockSize: 4096})
			var wrong *scan.InputError
			if !errors.As(got.err, &wrong) {
				t.Errorf("%s: the error is %v", reason, got.err)
				continue
			}
			if wrong.Reason != reason || wrong.File != "/table.csv" || wrong.Detail == "" {
				t.Errorf("the reason is %s, not %s: %v", wrong.Reason, reason, got.err)
			}
		}
	})
}

func joinedBytes(parts ...any) (out []byte) {
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			out = append(out, p...)
		case []byte:
			out = append(out, p...)
		}
	}
	return out
}

// everyTable runs a test for every table of every data set; in a short test, of only one.
func everyTable(t *testing.T, test func(*testing.T, *datasets.Dataset, *columnar.Table)) {
	for _, d := range catalog.All() {
		if testing.Short() && d.Name != "books" {
			continue
		}
		for _, table := range d.Tables {
			t.Run(d.Name+" "+table.Name, func(t *testing.T) { test(t, d, table) })
		}
	}
}

// TestHeaderAlone is a table of no rows.
func TestHeaderAlone(t *testing.T) {
	everyTable(t, func(t *testing.T, d *datasets.Dataset, table *columnar.Table) {
		header, _, _ := bytes.Cut(sample(t, d, table), []byte("\n"))
		for _, text := range [][]byte{header, append(bytes.Clone(header), '\n'), append(bytes.Clone(header), "\r\n\r\n\n"...)} {
			got := samplesWith(d, table.Name, content(t, text)).answer(t, engine.Options{Replicas: 3})
			for _, r := range got.report.Tables {
				if r.Table == table.Name && (r.Stats.Rows != 0 || r.Stats.RejectedRows() != 0) {
					t.Errorf("%q has %d rows, and %d rejected", text, r.Stats.Rows, r.Stats.RejectedRows())
				}
			}
		}
	})
}

// TestUnclosedQuoteAtTheEnd counts the last record as rejected and changes no
// answer.
func TestUnclosedQuoteAtTheEnd(t *testing.T) {
	everyTable(t, func(t *testing.T, d *datasets.Dataset, table *columnar.Table) {
		text := sample(t, d, table)
		if !bytes.HasSuffix(text, []byte("\n")) {
			text = append(text, '\n')
		}
		whole := samplesWith(d, table.Name, content(t, text)).answer(t, engine.Options{})
		for _, size := range []int{0, 1000} {
			open := samplesWith(d, table.Name, content(t, joinedBytes(text, `1,"never closed, and, so, on`)))
			got := open.same(t, whole.json, engine.Options{Replicas: 2, BlockSize: size})
			if n := rejected(got, table.Name) - rejected(whole, table.Name); n != 1 {
				t.Errorf("%d records more are rejected", n)
			}
		}
	})
}

func rejected(o outcome, table string) int64 {
	for _, r := range o.report.Tables {
		if r.Table == table {
			return r.Stats.RejectedRows()
		}
	}
	return -1
}

// vast is a huge file of a head and one repeated byte.
type vast struct {
	vfs.File
	head     string
	size     int64
	at       int64
	seekable bool
}

func (v *vast) Name() string         { return "vast.csv" }
func (v *vast) Seekable() bool       { return v.seekable }
func (v *vast) Size() (int64, error) { return v.size, nil }
func (v *vast) Close() error         { return nil }

func (v *vast) Read(p []byte) (int, error) {
	n, err := v.ReadAt(p, v.at)
	v.at += int64(n)
	return n, err
}

func (v *vast) ReadAt(p []byte, off int64) (int, error) {
	if off >= v.size {
		return 0, io.EOF
	}
	n := copy(p, p[:min(int64(len(p)), v.size-off)])
	for i := range p[:n] {
		p[i] = 'x'
	}
	if off < int64(len(v.head)) {
		copy(p, v.head[off:])
	}
	return n, nil
}

// TestVastField reads a field of 200 MB, quoted and unquoted, from a file and from a
// pipe. The error says so, and little memory is used.
func TestVastField(t *testing.T) {
	if testing.Short() {
		t.Skip("it reads more than a gigabyte")
	}
	d := dataset(t, "movies")
	ratings, err := d.Table("ratings")
	if err != nil {
		t.Fatal(err)
	}
	for _, head := range []string{"movieId,rating\n1,4\n2,", "movieId,rating\n1,4\n2,\"", "movieId,rat"} {
		for _, seekable := range []bool{true, false} {
			j := samplesWith(d, ratings.Name, func() (vfs.File, error) {
				return &vast{head: head, size: 200 << 20, seekable: seekable}, nil
			})
			j.queries = []*plan.Query{d.Queries[2]}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := j.run(t, t.Context(), engine.Options{Replicas: 2, Memory: 64 << 20})
			runtime.ReadMemStats(&after)
			var wrong *scan.InputError
			if !errors.As(got.err, &wrong) || wrong.Reason != "record-too-long" {
				t.Errorf("%q, seekable %v: the error is %v", head, seekable, got.err)
			}
			if taken := (after.Sys - before.Sys) >> 20; after.Sys > before.Sys && taken > 300 {
				t.Errorf("%q, seekable %v: the run took %d MiB", head, seekable, taken)
			}
		}
	}
}

// TestTooManyRejects checks that a run ends at the first rejected row over the limit,
// whatever the size of blocks.
func TestTooManyRejects(t *testing.T) {
	d := dataset(t, "movies")
	whole := ofDataset(d, vfs.ReadOnly(d.Samples), "", "").answer(t, engine.Options{})
	n := rejected(whole, "movies")
	var first string
	for _, o := range []engine.Options{{Replicas: 1}, {Replicas: 4, BlockSize: 500}, {Replicas: 2, BlockSize: 3000}} {
		o.MaxRejects = n - 1
		got := ofDataset(d, vfs.ReadOnly(d.Samples), "", "").run(t, t.Context(), o)
		if !errors.Is(got.err, scan.ErrTooManyRejects) {
			t.Fatalf("%s: the error is %v", describe(o), got.err)
		}
		if first == "" {
			first = got.err.Error()
		}
		if got.err.Error() != first {
			t.Errorf("%s: the error is %v, not %s", describe(o), got.err, first)
		}
		o.MaxRejects = n
		ofDataset(d, vfs.ReadOnly(d.Samples), "", "").same(t, whole.json, o)
	}
}

// TestRejectsComeOnce passes rejected rows on in the order of each file, once
// for a table that is read twice.
func TestRejectsComeOnce(t *testing.T) {
	for _, d := range catalog.All() {
		j := ofDataset(d, vfs.ReadOnly(d.Samples), "", "")
		var first []string
		for _, o := range []engine.Options{{Replicas: 1}, {Replicas: 4, BlockSize: 300}} {
			var rows []string
			o.Reject = func(r scan.Reject) error {
				rows = append(rows, strings.Join([]string{r.File, r.Reason, r.Column, r.Cell, string(r.Record)}, "|"))
				return nil
			}
			got := j.answer(t, o)
			var counted int64
			for _, table := range got.report.Tables {
				counted += table.Stats.RejectedRows()
			}
			if int64(len(rows)) != counted {
				t.Errorf("%s: %d rows of %d were passed on", d.Name, len(rows), counted)
			}
			if first == nil {
				first = rows
			}
			if strings.Join(rows, "\n") != strings.Join(first, "\n") {
				t.Errorf("%s: with %s the rejected rows are\n%q\nnot\n%q", d.Name, describe(o), rows, first)
			}
		}
		failed := errors.New("no room for it")
		if got := j.run(t, t.Context(), engine.Options{Reject: func(scan.Reject) error { return failed }}); !errors.Is(got.err, failed) {
			t.Errorf("%s: the run ends with %v", d.Name, got.err)
		}
	}
}

func TestFileThatCannotBeOpened(t *testing.T) {
	d := dataset(t, "steam")
	j := samplesWith(d, "reviews", func() (vfs.File, error) { return nil, os.ErrPermission })
	got := j.run(t, t.Context(), engine.Options{})
	if !errors.Is(got.err, os.ErrPermission) || !strings.Contains(got.err.Error(), "open table reviews") {
		t.Errorf("the error is %v", got.err)
	}
}
