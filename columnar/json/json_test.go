package json

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/input"
	"analyzer/columnar/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// memFile is a file in memory: seekable, or a pipe. Read number fails, from 1, fails; 0: none.
type memFile struct {
	*bytes.Reader
	pipe  bool
	mu    sync.Mutex
	fails int
}

var errBroken = errors.New("the disk is broken")

func newFile(data []byte) *memFile { return &memFile{Reader: bytes.NewReader(data)} }

func (f *memFile) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (f *memFile) Close() error              { return nil }
func (f *memFile) Sync() error               { return nil }
func (f *memFile) Seekable() bool            { return !f.pipe }
func (f *memFile) Name() string              { return "test.json" }
func (f *memFile) Size() (int64, error)      { return f.Reader.Size(), nil }

func (f *memFile) broken() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fails--; f.fails == 0 {
		f.fails++ // for good
		return errBroken
	}
	return nil
}

func (f *memFile) Read(p []byte) (int, error) {
	if err := f.broken(); err != nil {
		return 0, err
	}
	return f.Reader.Read(p)
}

func (f *memFile) ReadAt(p []byte, off int64) (int, error) {
	if err := f.broken(); err != nil {
		return 0, err
	}
	return f.Reader.ReadAt(p, off)
}

// row is what a reader found of an object: its cells that are not null, by header.
type row struct {
	offset, line int64
	record       string
	cells        map[string]string
}

// readAll describes a file and reads all of it with several workers, in ranges of some blocks; 0: as a whole.
func readAll(ctx context.Context, open func() vfs.File, blockSize, workers int, blocks int64) (headers []string, rows []row, err error) {
	d, err := describe(ctx, func() (vfs.File, error) { return open(), nil }, input.Asked{Whole: true})
	if err != nil {
		return nil, nil, err
	}
	table := &columnar.Table{}
	for _, c := range d.Columns {
		headers = append(headers, c.Header)
		table.Columns = append(table.Columns, columnar.TableColumn{Name: c.Name, Header: c.Header, Format: columnar.FormatOptional})
	}
	o := csv.Options{BlockSize: blockSize, MaxRecord: 1 << 20}
	at, err := ranges(ctx, open(), table, blockSize)
	if err != nil || at.Blocks == 0 || blocks == 0 {
		rows, _, err = readRange(ctx, open(), table, o, workers)
		return headers, rows, err
	}
	for line := int64(1); o.First < at.Blocks; o.First = o.Blocks {
		if o.Blocks, o.Guess, o.Before.Line = at.End(o.First+blocks), o.First%2 == 1, line; o.Guess {
			o.Before.Line = 0
		}
		found, p, err := readRange(ctx, open(), table, o, workers)
		if err != nil {
			return nil, nil, err
		}
		for _, r := range found {
			r.line += line - p.Before.Line
			rows = append(rows, r)
		}
		line = p.From(line).Line
	}
	return headers, rows, nil
}

// readRange reads a range of a file.
func readRange(ctx context.Context, f vfs.File, table *columnar.Table, o csv.Options, workers int) (rows []row, p csv.Passage, err error) {
	r, err := openTable(ctx, f, table, input.Options{Options: o})
	if err != nil {
		return nil, p, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	var headers []string
	for _, c := range table.Columns {
		headers = append(headers, c.Header)
	}
	blocks, mu, running := make(map[int64][]row), sync.Mutex{}, sync.WaitGroup{}
	var failed []error
	for range workers {
		running.Go(func() {
			w := r.(input.CellReader).NewWorker()
			for {
				err := w.Next(ctx)
				if errors.Is(err, io.EOF) {
					return
				}
				mu.Lock()
				if err != nil {
					failed = append(failed, err)
					mu.Unlock()
					return
				}
				blocks[w.Index()] = copied(w, headers)
				mu.Unlock()
			}
		})
	}
	running.Wait()
	for _, k := range slices.Sorted(maps.Keys(blocks)) {
		rows = append(rows, blocks[k]...)
	}
	return rows, r.(input.Ranged).Passage(), errors.Join(failed...)
}

// copied returns the rows of a block. It reads the cells in each of the ways there are.
func copied(b input.Block, headers []string) []row {
	rows := make([]row, b.Len())
	records := make([]int32, b.Len())
	for r := range rows {
		records[r] = int32(r)
		rows[r] = row{b.Offset(r), b.Line(r), string(b.Record(r)), make(map[string]string)}
	}
	var column, values csv.Column
	q := b.Quoting()
	for c, header := range headers {
		b.Column(&column, c, records)
		b.Values(&values, c, records)
		for r := range rows {
			cell := column.Cell(r)
			if !bytes.Equal(cell, b.Cell(r, c)) {
				panic(fmt.Sprintf("cell %q of a column is %q alone", cell, b.Cell(r, c)))
			}
			if value := values.Cell(r); !bytes.Equal(q.Append(nil, cell), q.Append(nil, value)) {
				panic(fmt.Sprintf("cell %q of a column has the value %q", cell, value))
			}
			if len(cell) > 0 && cell[0] == '"' {
				rows[r].cells[header] = "text " + string(q.Append(nil, cell))
			} else if len(cell) > 0 {
				rows[r].cells[header] = string(cell)
			}
		}
	}
	return rows
}

// reference reads objects as encoding/json does.
func reference(data []byte) (rows []map[string]string, ok bool) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if text := bytes.TrimLeft(data, " \t\r\n"); bytes.HasPrefix(text, []byte("[")) {
		var items []json.RawMessage
		if json.Unmarshal(data, &items) != nil {
			return nil, false
		}
		for _, item := range items {
			cells := make(map[string]string)
			if item[0] != '{' || !flatten(item, nil, cells) {
				return nil, false
			}
			rows = append(rows, cells)
		}
		return rows, true
	}
	for from := json.NewDecoder(bytes.NewReader(data)); ; {
		var object json.RawMessage
		if err := from.Decode(&object); errors.Is(err, io.EOF) {
			return rows, true
		} else if err != nil || object[0] != '{' {
			return nil, false
		}
		cells := make(map[string]string)
		if !flatten(object, nil, cells) {
			return nil, false
		}
		rows = append(rows, cells)
	}
}

func flatten(object json.RawMessage, above []string, cells map[string]string) bool {
	from := json.NewDecoder(bytes.NewReader(object))
	if _, err := from.Token(); err != nil {
		return false
	}
	for from.More() {
		key, err := from.Token()
		if err != nil {
			return false
		}
		var value json.RawMessage
		if err := from.Decode(&value); err != nil {
			return false
		}
		path := append(above[:len(above):len(above)], key.(string))
		header := headerOf(path)
		switch value[0] {
		case 'n':
			delete(cells, header)
		case '"':
			var text string
			if json.Unmarshal(value, &text) != nil {
				return false
			}
			cells[header] = "text " + text
		case '{':
			if !flatten(value, path, cells) {
				return false
			}
			cells[header] = "text " + string(value)
		default:
			cells[header] = string(value)
		}
	}
	return true
}

// same compares the cells of a row. An array of texts may have other escapes.
func same(got, want map[string]string, headers []string) error {
	for _, header := range headers {
		g, w := got[header], want[header]
		if g == w {
			continue
		}
		var a, b []string
		if strings.HasPrefix(g, "[") && json.Unmarshal([]byte(g), &a) == nil && json.Unmarshal([]byte(w), &b) == nil && slices.Equal(a, b) {
			continue
		}
		return fmt.Errorf("%s is %q, want %q", header, g, w)
	}
	return nil
}

// compare reads data in some way and compares it with what encoding/json makes of it.
func compare(t *testing.T, data []byte, blockSize, workers int, pipe bool, blocks int64) {
	t.Helper()
	want, valid := reference(data)
	headers, got, err := readAll(t.Context(), func() vfs.File { return &memFile{Reader: bytes.NewReader(data), pipe: pipe} }, blockSize, workers, blocks)
	var wrong *csv.InputError
	if err != nil {
		if !errors.As(err, &wrong) {
			t.Fatalf("%q: %v", data, err)
		}
		keys := 0
		for _, cells := range want {
			keys += len(cells)
		}
		if valid && keys > 0 && !strings.Contains(err.Error(), "does not end on the line") {
			t.Fatalf("%q is refused: %v", data, err)
		}
		return
	}
	if !valid {
		t.Fatalf("%q is taken for JSON: %v", data, got)
	}
	if len(got) != len(want) {
		t.Fatalf("%q has %d rows, want %d", data, len(got), len(want))
	}
	for i, row := range got {
		if err := same(row.cells, want[i], headers); utf8.Valid(data) && err != nil {
			t.Fatalf("%q, row %d: %v", data, i, err)
		}
		if at := string(data[row.offset:][:len(row.record)]); at != row.record {
			t.Fatalf("%q, row %d: at %d is %q", data, i, row.offset, at)
		}
		if line := int64(1 + bytes.Count(data[:row.offset], []byte{'\n'})); line != row.line {
			t.Fatalf("%q: row %d is on line %d, not %d", data, i, line, row.line)
		}
	}
	for _, cells := range want { // nothing is lost: what has no column is an object with keys
		for header, cell := range cells {
			if !slices.Contains(headers, header) && !strings.HasPrefix(cell, "text {") && utf8.Valid(data) {
				t.Fatalf("%q: there is no column %q among %q", data, header, headers)
			}
		}
	}
}

// randomValue makes JSON of a random form.
func randomValue(rng *rand.Rand, depth int) string {
	space := []string{"", "", "", " ", "\t"}[rng.IntN(5)]
	texts := []string{`""`, `"a"`, `"b\"c"`, `"\\"`, `"\u00e9\ud83d\ude00"`, `"\ud800x"`, `"\/\b\f\n\r\t"`, `"2020-01-02"`, `"[1]"`, `"longer than eight bytes é"`}
	switch n := rng.IntN(12); {
	case n < 4:
		return space + texts[rng.IntN(len(texts))] + space
	case n < 7:
		return []string{"0", "-1", "12.50", "1e5", "-0", "1E-3", "123456789012345678901"}[rng.IntN(7)]
	case n < 9:
		return []string{"true", "false", "null"}[rng.IntN(3)]
	case n < 10 && depth > 0:
		items := make([]string, rng.IntN(4))
		for i := range items {
			items[i] = randomValue(rng, depth-1)
			if rng.IntN(2) == 0 {
				items[i] = texts[rng.IntN(len(texts))]
			}
		}
		return "[" + space + strings.Join(items, ","+space) + "]"
	case depth > 0:
		return randomObject(rng, depth-1)
	}
	return "1"
}

func randomObject(rng *rand.Rand, depth int) string {
	keys := []string{`"a"`, `"b"`, `"c"`, `"a.b"`, `"k\u0065y"`, `""`, `"back\\slash"`}
	var members []string
	for range rng.IntN(6) {
		members = append(members, keys[rng.IntN(len(keys))]+":"+randomValue(rng, depth))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func TestRandomObjects(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for range rounds {
		objects := make([]string, rng.IntN(12))
		for i := range objects {
			objects[i] = randomObject(rng, 3)
		}
		lines := strings.Join(objects, []string{"\n", "\r\n", "\n\n", " \n"}[rng.IntN(4)])
		array := "[" + strings.Join(objects, []string{",", ",\n", "\n, "}[rng.IntN(3)]) + " ]\n"
		var pretty bytes.Buffer
		for _, o := range objects {
			if err := json.Indent(&pretty, []byte(o), "", " "); err != nil {
				t.Fatal(err)
			}
			pretty.WriteByte('\n')
		}
		for _, data := range []string{lines, array, pretty.String(), "\ufeff" + lines, "\ufeff" + array} {
			compare(t, []byte(data), 1+rng.IntN(60), 1+rng.IntN(3), rng.IntN(2) == 0, rng.Int64N(5))
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, text := range []string{
		`{"a":1}`, "{\"a\":[\"x\",\"\\u0041\"],\"b\":{\"c\":null}}\n{\"a\":{}}", "[{\"a\":1},\n{\"b\":-0.5e+7}]", "{\n\"a\":\ntrue}{}", "[]", "{}", "[{}]",
		"{\"a\":1}\n{\"a\":\n2}", "{\"a\":01}", "{\"a\":\"\x01\"}", "{\"\\ud83d\\ude00\":\"\\ud83d\"}", "[{\"a\":1}", "[{\"a\":1},]", "[{\"a\":1}] x", "{\"a\":1}}",
	} {
		f.Add([]byte(text), uint8(7), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, blockSize, workers uint8) {
		if !is(data) {
			return
		}
		for _, encoded := range []string{"\x1f\x8b", "\xff\xfe", "\xfe\xff", "\x28\xb5\x2f\xfd"} {
			if bytes.HasPrefix(data, []byte(encoded)) {
				return
			}
		}
		if len(data) >= 8 && bytes.Count(data[:8], []byte{0}) > 3 { // UTF-16
			return
		}
		compare(t, data, 1+int(blockSize), 1+int(workers%4), workers%2 == 0, int64(workers%5))
	})
}

// TestReadErrors fails read 1, 2, 3, … until no read fails.
func TestReadErrors(t *testing.T) {
	var lines bytes.Buffer
	for i := range 8_000 {
		fmt.Fprintf(&lines, "{\"id\":%d,\"text\":\"row number %d \\u00e9\"}\n", i, i*i)
	}
	array := append(append([]byte("["), bytes.ReplaceAll(bytes.TrimSpace(lines.Bytes()), []byte("\n"), []byte(",\n"))...), ']')
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	w.Write(lines.Bytes())
	w.Close()
	for name, data := range map[string][]byte{"lines": lines.Bytes(), "array": array, "gzip": gz.Bytes()} {
		for n := 1; ; n++ {
			fails := n
			_, rows, err := readAll(t.Context(), func() vfs.File { // the reads of all openings count
				f := newFile(data)
				f.fails = fails
				return f
			}, 32<<10, 3, int64(fails%3))
			if err == nil {
				if n < 3 || len(rows) != 8_000 {
					t.Fatalf("%s: %d rows after %d reads", name, len(rows), n)
				}
				break
			}
			var input *csv.InputError
			if !errors.Is(err, errBroken) || errors.As(err, &input) {
				t.Fatalf("%s, read %d: %v", name, n, err)
			}
		}
	}
}

func TestMistakes(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	for text, says := range map[string]string{
		"{\"a\":1}\n{\"a\":2,}\n":                      `test.json:2: column 8: not valid JSON: there is "}" where a key in quotes is expected`,
		"{\"a\":1}\n{\"a\":nul}\n":                     `test.json:2: column 6`,
		"{\"a\":1}\n{\"a\":\"x\n\"}\n":                 `there is '\n' in a text in quotes`,
		"{\"a\":1}\n\n{\"a\":tru\n":                    "test.json:3: column 6",
		"{\"a\":1}\n{\"a\":1":                          "test.json:2: column 7: not valid JSON: the text ends where a comma or } is expected",
		"{\"a\":1}\n[1]\n":                             `test.json:2: column 1: not valid JSON: there is "[" where an object is expected`,
		"{\"a\":1}\n{\"a\":\n1}\n":                     "test.json:2: column 6",
		"[{\"a\":1},\n{\"a\":2}":                       "test.json:2: column 8: not valid JSON: the text ends",
		"[{\"a\":1},\n 2]":                             `test.json:2: column 2`,
		"[{\"a\":1}\n{\"a\":2}]":                       "test.json:2: column 1: not valid JSON: there is \"{\" where a comma or ] is expected",
		"[]":                                           "no object with a key",
		"{\"a\":1}\n{\"a\":\"" + long + long + "\"}\n": "test.json:2: the object that begins here is longer than",
		"{\"a\":" + strings.Repeat("[", 10_001):        "nested deeper than 10000",
	} {
		_, _, err := readAll(t.Context(), func() vfs.File { return newFile([]byte(text)) }, 1<<10, 2, 0)
		var wrong *csv.InputError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), says) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	data := []byte(strings.Repeat("{\"a\":1}\n", 1000))
	r, err := openTable(ctx, newFile(data), &columnar.Table{Columns: []columnar.TableColumn{{Name: "a", Header: "a"}}}, input.Options{Options: csv.Options{BlockSize: 100}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := r.(input.CellReader).NewWorker()
	if err := w.Next(ctx); err != nil {
		t.Fatal(err)
	}
	if cancel(); !errors.Is(w.Next(ctx), context.Canceled) {
		t.Error("a cancelled reading goes on")
	}
}

// TestLateColumns checks that a column which only one row in the middle has is not overlooked.
func TestLateColumns(t *testing.T) {
	var lines bytes.Buffer
	for i := range 300_000 {
		if i == 200_000 {
			lines.WriteString("{\"late\":true,\"a\":1}\n")
		}
		fmt.Fprintf(&lines, "{\"a\":%d}\n", i)
	}
	file := newFile(lines.Bytes())
	open := func() (vfs.File, error) { return file, nil }
	d, err := describe(t.Context(), open, input.Asked{})
	if err != nil || len(d.Columns) != 1 || len(d.Samples) != samples+1 {
		t.Fatalf("%d columns, %d samples, %v", len(d.Columns), len(d.Samples), err)
	}
	if d, err = describe(t.Context(), open, input.Asked{Whole: true}); err != nil || len(d.Columns) != 2 || d.Columns[1].Name != "late" {
		t.Fatal(d.Columns, err)
	}
	table := &columnar.Table{Columns: []columnar.TableColumn{{Name: "a", Header: "a"}}}
	r, err := openTable(t.Context(), file, table, input.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	more := 0
	for w := r.(input.CellReader).NewWorker(); ; {
		if err := w.Next(t.Context()); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if w.(input.Growing).More() {
			more++
		}
	}
	if more != 1 {
		t.Errorf("%d blocks have more columns", more)
	}
}

func BenchmarkReader(b *testing.B) {
	var sales, reviews bytes.Buffer
	for i := range 100_000 {
		fmt.Fprintf(&sales, "{\"id\": %d, \"name\": \"some name\", \"price\": %d.25, \"ok\": true, \"at\": {\"x\": %d, \"day\": \"2024-01-02\"}}\n", i, i%1000, i*7)
	}
	for i := range 10_000 {
		text := strings.Repeat("I liked the first half of it. ", i%30)
		fmt.Fprintf(&reviews, "{\"id\": %d, \"text\": \"%sOne calls it \\\"great\\\".\\n%s\"}\n", i, text, text)
	}
	for _, s := range []struct {
		name    string
		data    []byte
		headers []string
		wanted  []string
	}{
		{"sales", sales.Bytes(), []string{"id", "name", "price", "ok", "at.x", "at.day"}, nil},
		{"reviews", reviews.Bytes(), []string{"id", "text"}, nil},
		{"reviews counted", reviews.Bytes(), []string{"id", "text"}, []string{}},
	} {
		table := &columnar.Table{}
		for _, header := range s.headers {
			table.Columns = append(table.Columns, columnar.TableColumn{Name: header, Header: header})
		}
		b.Run(s.name, func(b *testing.B) {
			b.SetBytes(int64(len(s.data)))
			for b.Loop() {
				readThrough(b, s.data, table, input.Options{Wanted: s.wanted})
			}
		})
	}
}

func readThrough(b *testing.B, data []byte, t *columnar.Table, o input.Options) {
	r, err := openTable(b.Context(), newFile(data), t, o)
	if err != nil {
		b.Fatal(err)
	}
	w := r.(input.CellReader).NewWorker()
	for {
		if err := w.Next(b.Context()); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			b.Fatal(err)
		}
	}
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}
