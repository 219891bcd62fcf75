package stored

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
)

// memFile is a file in memory: seekable, or a pipe.
type memFile struct {
	*bytes.Reader
	pipe   bool
	member string
}

func (f *memFile) Write([]byte) (int, error) { return 0, errors.ErrUnsupported }
func (f *memFile) Close() error              { return nil }
func (f *memFile) Sync() error               { return nil }
func (f *memFile) Seekable() bool            { return !f.pipe }
func (f *memFile) Name() string              { return "test" }
func (f *memFile) Member() string            { return f.member }
func (f *memFile) Size() (int64, error)      { return f.Reader.Size(), nil }

// text returns all that a source of the data hands out.
func text(t *testing.T, data []byte, pipe bool, member string) (string, error) {
	file := &memFile{bytes.NewReader(data), pipe, member}
	head, rest, err := HeadOf(file)
	if err != nil {
		return "", err
	}
	s, err := Open(rest, Options{BlockSize: 1000})
	if err != nil {
		return "", err
	}
	var out []byte
	for {
		k, err := s.Claim(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", errors.Join(err, s.Close())
		}
		block := make([]byte, 1000)
		n, err := s.Read(block, k*1000)
		s.Release()
		if err != nil && !errors.Is(err, io.EOF) {
			return "", errors.Join(err, s.Close())
		}
		out = append(out, block[:n]...)
	}
	if begin := string(out[:min(len(out), HeadBytes)]); !strings.HasPrefix(begin, string(head.Text[:min(len(head.Text), 8)])) {
		return "", fmt.Errorf("the head is %q, and the text begins with %q", head.Text, begin)
	}
	return string(out), s.Close()
}

func written(t *testing.T, content string, open func(io.Writer) (io.WriteCloser, error)) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := open(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func zipped(t *testing.T, members ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(members); i += 2 {
		m, err := w.Create(members[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(m, members[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bzipped is "a,b\n1,2\n" as bzip2 writes it, for which Go has no writer.
const bzipped = "QlpoOTFBWSZTWb+HQH8AAANZAAAQAAQwADAAIAAwwAhpsogjJ4u5IpwoSF/DoD+A"

func TestCodecs(t *testing.T) {
	content := strings.Repeat("some,cells\n1,2\n", 5000)
	files := map[string][]byte{
		"plain": []byte(content),
		"gzip":  written(t, content, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		"zstd":  written(t, content, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
		"xz":    written(t, content, func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) }),
		"lz4":   written(t, content, func(w io.Writer) (io.WriteCloser, error) { return lz4.NewWriter(w), nil }),
		"zip":   zipped(t, "dir/", "", "__MACOSX/._t.csv", "x", "dir/t.csv", content),
	}
	for name, data := range files {
		for _, pipe := range []bool{false, true} {
			got, err := text(t, data, pipe, "")
			if name == "zip" && pipe {
				if err == nil || !strings.Contains(err.Error(), "cannot be read from a pipe") {
					t.Errorf("zip from a pipe: %v", err)
				}
				continue
			}
			if err != nil || got != content {
				t.Errorf("%s, pipe %v: %d bytes, %v", name, pipe, len(got), err)
			}
			if name == "plain" {
				continue
			}
			for _, n := range []int{len(data) / 2, len(data) - 3} {
				var input *InputError
				if _, err := text(t, data[:n], pipe, ""); !errors.As(err, &input) || input.Reason != ReasonDamaged {
					t.Errorf("%s, cut off at %d: %v", name, n, err)
				}
			}
		}
	}
}

func TestMembers(t *testing.T) {
	two := zipped(t, "a.csv", "a\n1\n", "dir/b.csv", "b\n2\n")
	for _, tt := range []struct {
		data         []byte
		member, want string
	}{
		{two, "", "error: the zip archive has 2 files: a.csv, dir/b.csv (name one of them: 'test/a.csv')"},
		{two, "dir/b.csv", "b\n2\n"},
		{two, "c.csv", `error: the zip archive has no "c.csv"; it has a.csv, dir/b.csv`},
		{zipped(t), "", "error: the zip archive has no files"},
		{zipped(t, "[Content_Types].xml", "", "xl/workbook.xml", ""), "", "error: the workbook has no sheet with cells"},
		{zipped(t, "[Content_Types].xml", "", "xl/workbook.bin", ""), "", "error: not a CSV file: it is an Excel workbook in the binary form (.xlsb) (save it as .xlsx"},
		{zipped(t, "t.parquet", "PAR1...."), "", "error: not a CSV file: it is a Parquet file"},
	} {
		got, err := text(t, tt.data, false, tt.member)
		if err != nil {
			got = "error: " + strings.TrimPrefix(err.Error(), "test: ")
		}
		if !strings.HasPrefix(got, tt.want) || tt.want == "" {
			t.Errorf("%q is %q, want %q", tt.member, got, tt.want)
		}
	}
	for name, want := range map[string][2]string{"a.zip/b.csv": {"a.zip", "b.csv"}, "x/A.ZIP/d/b": {"x/A.ZIP", "d/b"}, "a.zip/": {}, "a.zipped/b": {}} {
		archive, member, ok := CutMember(name)
		if ok != (want[0] != "") || ok && (archive != want[0] || member != want[1]) {
			t.Errorf("%s is %q and %q, %v", name, archive, member, ok)
		}
	}
}

func TestForeigners(t *testing.T) {
	for data, what := range map[string]string{
		"\ufeff\n<!DOCTYPE HTML><html>":    "HTML",
		"SQLite format 3\x00":              "SQLite",
		"<?xml version=\"1.0\"?>":          "XML",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "Excel",
		strings.Repeat("x", 257) + "ustar": "tar",
	} {
		for _, compressed := range []bool{false, true} {
			file := []byte(data)
			if compressed {
				file = written(t, data, func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil })
			}
			var input *InputError
			if _, err := text(t, file, compressed, ""); !errors.As(err, &input) || !strings.Contains(err.Error(), what) || input.Hint == "" {
				t.Errorf("%q: %v", data, err)
			}
		}
	}
	for _, header := range []string{"BZhours,n\n", "ORCID,name\n", "<header>,b\n", "Object,n\n", "Rare,n\n", "DUCK,a,b\n"} {
		if got, err := text(t, []byte(header), false, ""); err != nil || got != header {
			t.Errorf("%q is %q, %v", header, got, err)
		}
	}
}

// named is a file with a name.
type named struct {
	*memFile
	name string
}

func (f named) Name() string { return f.name }

// TestMisnamed has files that are named as Parquet and Arrow files, and are none.
func TestMisnamed(t *testing.T) {
	for name, want := range map[string]struct{ data, says string }{
		"bytes.parquet": {strings.Repeat("\x90\x00\x81\xfe", 50), "not a file of Parquet"},
		"Latin.ARROW":   {"name,n\ncaf\xe9,1\nx,2\n", "not a file of Arrow"},
		"text.parquet":  {"name,n\n" + strings.Repeat("café,1\n", 100), ""},
		"wide.parquet":  {"a\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00", ""},
		"bytes.csv":     {"a\n\x90\x00\n", ""},
		"none.pq":       {"", ""},
	} {
		s, err := Open(named{&memFile{Reader: bytes.NewReader([]byte(want.data))}, name}, Options{BlockSize: 1000})
		if s != nil {
			err = errors.Join(err, s.Close())
		}
		if want.says == "" && err != nil || want.says != "" && (err == nil || !strings.Contains(err.Error(), want.says)) {
			t.Errorf("%s: %v, want %q", name, err, want.says)
		}
	}
}

func TestBzip2(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(bzipped)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := text(t, data, true, ""); err != nil || got != "a,b\n1,2\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// TestFarReferences has the header of an xz file ask for 4 GiB.
func TestFarReferences(t *testing.T) {
	data := written(t, "a\n1\n", func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) })
	at := bytes.Index(data, []byte{0x21, 0x01})
	data[at+2] = 40
	if _, err := text(t, data, false, ""); err == nil || !strings.Contains(err.Error(), "refers back") {
		t.Error(err)
	}
}
