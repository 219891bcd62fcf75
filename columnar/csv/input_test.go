package csv

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar/vfs"
)

func zstdCompressed(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestForms reads the same records from a file in all forms.
func TestForms(t *testing.T) {
	data := longText(300 << 10)
	double := append(append([]byte{}, compressed(data[:100<<10])...), compressed(data[100<<10:])...)
	for name, f := range map[string]vfs.File{
		"plain": newFile(data), "pipe": newPipe(data),
		"gzip": newFile(compressed(data)), "gzip pipe": newPipe(compressed(data)), "gzip of two members": newFile(double),
		"zstd": newFile(zstdCompressed(t, data)), "zstd pipe": newPipe(zstdCompressed(t, data)),
	} {
		t.Run(name, func(t *testing.T) { check(t, data, f, Options{BlockSize: 10000}, 3) })
	}
}

func TestInputErrors(t *testing.T) {
	long := strings.Repeat("x", 200)
	rows := "a,b\n1,2\n"
	gz := compressed([]byte(strings.Repeat(rows, 1000)))
	zst := zstdCompressed(t, []byte(strings.Repeat(rows, 1000)))
	flipped := bytes.Clone(gz)
	flipped[len(flipped)-6] ^= 1
	for _, c := range []struct {
		name, data, reason, message string
		line                        int64
	}{
		{"empty", "", ReasonEmptyFile, "empty", 0},
		{"byte order mark only", "\xef\xbb\xbf", ReasonEmptyFile, "empty", 0},
		{"blank lines only", "\n\r\n\r", ReasonEmptyFile, "empty", 0},
		{"zero bytes", "a,b" + strings.Repeat("\x00", 300) + "c\n", ReasonNotCSV, "zero bytes", 0},
		{"UTF-32", "\xff\xfe\x00\x00a\x00\x00\x00", ReasonNotCSV, "zero bytes", 0},
		{"xz", "\xfd7zXZ\x00\x00", ReasonDamaged, "xz data ends too early", 0},
		{"bzip2", "BZh91AY&", ReasonDamaged, "bzip2", 0},
		{"open quote in header", "a,\"b\n1,2\n", ReasonUnclosedQuote, "header", 1},
		{"long header", long + ",b\n1,2\n", ReasonRecordTooLong, "longer than 100", 1},
		{"long record", rows + "\n1,\"\n\n" + long + "\"\n" + rows, ReasonRecordTooLong, "quote is probably not closed", 4},
		{"long record at the end", rows + "1," + long, ReasonRecordTooLong, "longer than 100", 3},
		{"long open record", rows + "1,\"" + long, ReasonRecordTooLong, "longer than 100", 3},
		{"truncated gzip", string(gz[:len(gz)/2]), ReasonDamaged, "gzip data ends too early", 0},
		{"truncated gzip trailer", string(gz[:len(gz)-3]), ReasonDamaged, "gzip data ends too early", 0},
		{"truncated gzip header", string(gz[:5]), ReasonDamaged, "gzip", 0},
		{"flipped gzip", string(flipped), ReasonDamaged, "gzip data is damaged", 0},
		{"garbage behind gzip", string(gz) + "garbage", ReasonDamaged, "gzip", 0},
		{"truncated zstd", string(zst[:len(zst)-3]), ReasonDamaged, "zstd data ends too early", 0},
		{"zstd window of 256 MiB", "\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00", ReasonDamaged, "without --long", 0},
		{"empty gzip", string(compressed(nil)), ReasonEmptyFile, "empty", 0},
	} {
		for _, pipe := range []bool{false, true} {
			for _, blockSize := range []int{1, 7, 64, 1 << 20} {
				t.Run(fmt.Sprintf("%s/pipe=%v/%d", c.name, pipe, blockSize), func(t *testing.T) {
					f := newFile([]byte(c.data))
					f.pipe = pipe
					_, _, err := readAll(f, Options{BlockSize: blockSize, MaxRecord: 100}, 3)
					var e *InputError
					if !errors.As(err, &e) {
						t.Fatalf("no InputError but %v", err)
					}
					if e.Reason != c.reason || !strings.Contains(e.Error(), c.message) || e.Line != c.line || e.File != f.name {
						t.Fatalf("%q (%s, line %d), not %q (%s, line %d)", e, e.Reason, e.Line, c.message, c.reason, c.line)
					}
				})
			}
		}
	}
}

// TestLimit reads records of the maximum length.
func TestLimit(t *testing.T) {
	record := `"` + strings.Repeat("\r\n", 30) + `",` + strings.Repeat("y", 37)
	if len(record) != 100 {
		t.Fatal(len(record))
	}
	for _, end := range []string{"\n", "\r\n", "\r", ""} {
		data := []byte("a,b\n" + record + "\n" + record + end)
		for _, blockSize := range []int{1, 5, 64, 1000} {
			check(t, data, newFile(data), Options{BlockSize: blockSize, MaxRecord: 100}, 2)
		}
	}
}

// bigFile is a CSV file of one huge record, which is not kept in memory.
type bigFile struct {
	memFile
	field int64
}

const bigHead, bigTail = "a,b\n\"", "\",2\n3,4\n"

func (f *bigFile) Size() (int64, error) { return f.field + int64(len(bigHead+bigTail)), nil }

func (f *bigFile) ReadAt(p []byte, off int64) (int, error) {
	for i := range p {
		switch at := off + int64(i); {
		case at < int64(len(bigHead)):
			p[i] = bigHead[at]
		case at < int64(len(bigHead))+f.field:
			p[i] = 'x'
		case at < int64(len(bigHead+bigTail))+f.field:
			p[i] = bigTail[at-int64(len(bigHead))-f.field]
		default:
			return i, io.EOF
		}
	}
	return len(p), nil
}

// TestHugeField reads a field of 200 MB, and then refuses to.
func TestHugeField(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a gigabyte")
	}
	f := &bigFile{memFile: *newFile(nil), field: 200 << 20}
	r, err := Open(t.Context(), f, Options{MaxRecord: 256 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b Block
	records, length := 0, 0
	for {
		if err := r.Next(t.Context(), &b); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		records += b.Len()
		if b.Len() > 0 {
			length = max(length, len(b.Cell(0, 0)))
		}
		if b.Index() > 0 && cap(b.data) > 8<<20 {
			t.Fatalf("block %d keeps %d bytes", b.Index(), cap(b.data))
		}
	}
	if records != 2 || length != 200<<20+2 {
		t.Fatalf("%d records, a cell of %d bytes", records, length)
	}
	_, _, err = readAll(f, Options{}, 2)
	var e *InputError
	if !errors.As(err, &e) || e.Reason != ReasonRecordTooLong || e.Line != 2 {
		t.Fatal(err)
	}
}

func TestHeaderOnly(t *testing.T) {
	for _, data := range []string{"a,b", "a,b\n", "\xef\xbb\xbf\"a\",b\r\n", "\n\na,b\r"} {
		header, blocks, err := readAll(newFile([]byte(data)), Options{BlockSize: 3}, 2)
		if err != nil || fmt.Sprint(header) != "[a b]" {
			t.Fatalf("%q: %q, %v", data, header, err)
		}
		for _, records := range blocks {
			if len(records) > 0 {
				t.Fatalf("%q: %v", data, records)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	for _, o := range []Options{{BlockSize: -1}, {MaxRecord: -1}, {BlockSize: 1 << 40}, {MaxRecord: 1 << 40}} {
		if _, err := Open(t.Context(), newFile([]byte("a\n")), o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
}

// TestEdges puts line ends on both sides of the boundaries between reads.
func TestEdges(t *testing.T) {
	for shift := range 4 {
		// For one shift the CR is the last byte of a piece and the LF the first of
		// the next.
		data := []byte("a,b\r\n" + strings.Repeat("x", 1024-1000-2+shift))
		data = append(data, strings.Repeat(strings.Repeat("y", 1000)+"\r\n"+strings.Repeat("z", 22), 2*pieceBytes/1024+8)...)
		check(t, data, newFile(data), Options{BlockSize: DefaultBlockSize}, 2)
		check(t, data, newPipe(data), Options{BlockSize: pieceBytes + 1000}, 2)
		for _, end := range []string{"\r\n", "\r", "\n"} {
			header := strings.Repeat("h", minTail-4+shift) + "," + end
			data := []byte(header + "1,2" + end)
			check(t, data, newFile(data), Options{BlockSize: 1000}, 2)
			check(t, data, newPipe(data), Options{BlockSize: 1000}, 2)
		}
	}
}

// TestLongLinesTakeLittleMore: there is about as much room for a long line as it needs, and none afterwards.
func TestLongLinesTakeLittleMore(t *testing.T) {
	const long = 6 << 20
	line := bytes.Repeat([]byte("x"), long)
	for _, end := range []string{"\n", "\r\n", "\r", ""} {
		f := newFile(slices.Concat([]byte("a,b"+cmp.Or(end, "\n")+"1,"), line, []byte(end)))
		r, err := Open(t.Context(), f, Options{BlockSize: 64 << 10})
		if err != nil {
			t.Fatal(err)
		}
		var b Block
		if err := r.Next(t.Context(), &b); err != nil || b.Len() != 1 || !bytes.Equal(b.Cell(0, 1), line) {
			t.Fatalf("%q: %d records, error %v", end, b.Len(), err)
		}
		if most := long * 5 / 4; cap(b.data) > most {
			t.Errorf("%q: there is room for %d bytes of a line of %d", end, cap(b.data), long)
		}
		if b.reset(64 << 10); cap(b.data) > 0 || cap(b.words) > 0 {
			t.Errorf("%q: %d bytes and %d words are kept", end, cap(b.data), cap(b.words))
		}
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
