package main

import (
	"bytes"
	"compress/gzip"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar/vfs"
)

var long = flag.Bool("long", false, "tests over files of 64 MB")

// countingFS counts the bytes that are read.
type countingFS struct {
	vfs.FS
	read atomic.Int64
}

func (c *countingFS) Open(name string) (vfs.File, error) {
	f, err := c.FS.Open(name)
	return &countingFile{File: f, read: &c.read}, err
}

type countingFile struct {
	vfs.File
	read *atomic.Int64
}

func (f *countingFile) Read(p []byte) (int, error) {
	n, err := f.File.Read(p)
	f.read.Add(int64(n))
	return n, err
}

func (f *countingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	f.read.Add(int64(n))
	return n, err
}

// statement runs “analyzer sql”, and returns its answer and how many bytes it has read.
func statement(t *testing.T, args ...string) (answer string, read int64) {
	t.Helper()
	return statementOn(t, "", args...)
}

func statementOn(t *testing.T, stdin string, args ...string) (answer string, read int64) {
	t.Helper()
	var out, notes bytes.Buffer
	fs := &countingFS{FS: vfs.OS()}
	p := &program{console: console{stdin: strings.NewReader(stdin), stdout: &out, stderr: &notes}, fs: fs, own: fs, began: time.Now()}
	if err := p.runLine(t.Context(), append([]string{"analyzer", "sql", "--spill-dir", t.TempDir()}, args...)); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, notes.String())
	}
	return out.String(), fs.read.Load()
}

// TestReadings holds how often a file is read: once, and again from where a cell shows that
// a type was guessed wrong, which does not change the answer; a beginning where that is enough.
func TestReadings(t *testing.T) {
	size := 12 << 20
	if *long {
		size = 64 << 20
	}
	plain := []byte("id,price,code\n")
	for n := 0; len(plain) < size; n++ {
		plain = fmt.Appendf(plain, "%d,%d.5,%d\n", n, n%100, 1000+n%9)
	}
	// write makes a file with a line more, behind so many bytes.
	write := func(name, odd string, at int) string {
		at += bytes.IndexByte(plain[at:], '\n') + 1
		data := slices.Concat(plain[:at], []byte(odd), plain[at:])
		return writeFile(t, filepath.Join(t.TempDir(), name), data)
	}
	const question = "SELECT code, count(*), min(id), sum(price) FROM '%s' GROUP BY ALL ORDER BY code LIMIT 2"
	for name, tt := range map[string]struct {
		file     string
		question string
		answer   string
		readings float64 // at most so many
		more     float64 // than this
	}{
		"as guessed":      {write("a.csv", "", 0), "SELECT typeof FROM (SELECT max(code) AS typeof FROM '%s')", "typeof\n1008\n", 1.5, 0.9},
		"last row":        {write("b.csv", "1,2.5,007\n", size), question, "", 1.5, 0.9},
		"within":          {write("c.csv", "1,2.5,007\n", size*21/40), question, "", 2.4, 1.3},
		"compressed":      {write("d.csv.gz", "1,2.5,007\n", size*21/40), question, "", 2.9, 1.3},
		"twice":           {write("i.csv", "1,2.5,1.5\n1,2.5,007\n", size/3), question, "", 2.2, 1.2},
		"text for number": {write("e.csv", "1,much,1000\n", size*21/40), "SELECT count(*) n FROM '%s' WHERE price = 'much'", "n\n1\n", 2.5, 1.9},
		"beginning":       {write("f.csv", "1,2.5,007\n", size), "FROM '%s' LIMIT 2", "id,price,code\n0,0.5,1000\n1,1.5,1001\n", 0.9, 0},
		"enough matches":  {write("g.csv", "", 0), "SELECT id FROM '%s' WHERE code = 1008 LIMIT 2", "id\n8\n17\n", 0.9, 0},
		"too few matches": {write("h.csv", "1,2.5,7\n", size), "SELECT id, code FROM '%s' WHERE code = 7 LIMIT 2", "id,code\n1,7\n", 1.5, 0.9},
	} {
		t.Run(name, func(t *testing.T) {
			info, err := os.Stat(tt.file)
			if err != nil {
				t.Fatal(err)
			}
			replicas := "2"
			if tt.more == 0 { // another could run far ahead while one sleeps
				replicas = "1"
			}
			got, read := statement(t, "--replicas", replicas, fmt.Sprintf(tt.question, tt.file))
			want := tt.answer
			if want == "" { // 007 is a text, and so are all others
				want = "code,count(*),min(id),sum(price)\n007,1,1,2.5\n"
				got = got[:min(len(got), len(want))]
			}
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
			if readings := float64(read) / float64(info.Size()); readings > tt.readings || readings < tt.more {
				t.Errorf("the file was read %.2f times", readings)
			}
		})
	}
}

// writeFile writes a file, compressed as its name says, and returns its path.
func writeFile(t *testing.T, path string, data []byte) string {
	t.Helper()
	var z bytes.Buffer
	var w io.WriteCloser
	switch filepath.Ext(path) {
	case ".gz":
		w = gzip.NewWriter(&z)
	case ".zst":
		var err error
		if w, err = zstd.NewWriter(&z); err != nil {
			t.Fatal(err)
		}
	}
	if w != nil {
		if _, err := w.Write(data); err != nil || w.Close() != nil {
			t.Fatal(err)
		}
		data = z.Bytes()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestSources asks the same of rows that come in several ways. The type of a column
// follows from all parts: in the last one stands the odd cell.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	parts := []string{"id,word\n2,b\n1,a\n", "id,word\n3,\"c,\n\"\n", "id,word\n04,d\n"}
	all := parts[0] + strings.TrimPrefix(parts[1]+strings.TrimPrefix(parts[2], "id,word\n"), "id,word\n")
	for i, text := range parts {
		writeFile(t, filepath.Join(dir, "plain", fmt.Sprint("p", i, ".csv")), []byte(text))
		writeFile(t, filepath.Join(dir, "mixed", fmt.Sprint("p", i, []string{".csv", ".csv.gz", ".csv.zst"}[i])), []byte(text))
		writeFile(t, filepath.Join(dir, "hive", fmt.Sprintf("year=%d/day=2020-01-0%d/the%%20name=a%%2Fb", 2020+i, i+1), "p.csv"), []byte(text))
	}
	const want = "id,word\n2,b\n1,a\n3,\"c,\n\"\n04,d\n"
	for name, tt := range map[string]struct{ stdin, source string }{
		"plain":       {"", writeFile(t, filepath.Join(dir, "a.csv"), []byte(all))},
		"gzip":        {"", writeFile(t, filepath.Join(dir, "a.csv.gz"), []byte(all))},
		"zstandard":   {"", writeFile(t, filepath.Join(dir, "a.csv.zst"), []byte(all))},
		"parts":       {"", dir + "/plain/*.csv"},
		"mixed parts": {"", dir + "/mixed/p?.csv*"},
		"pipe":        {all, "-"},
	} {
		if got, _ := statementOn(t, tt.stdin, "FROM '"+tt.source+"'"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	got, _ := statement(t, "SELECT *, year + 1 AS next, day(day) AS d FROM '"+dir+"/hive/*/*/*/*.csv' WHERE year > 2020")
	const partitioned = "id,word,year,day,the name,next,d\n3,\"c,\n\",2021,2020-01-02,a/b,2022,2\n04,d,2022,2020-01-03,a/b,2023,3\n"
	if got != partitioned {
		t.Errorf("partitions: %q, want %q", got, partitioned)
	}
	named := "id,filename\n1," + filepath.Join(dir, "plain", "p0.csv") + "\n"
	if got, _ := statement(t, "SELECT id, filename FROM read_csv('"+dir+"/plain/*.csv', filename = true) WHERE word = 'a'"); got != named {
		t.Errorf("file names: %q, want %q", got, named)
	}
}
