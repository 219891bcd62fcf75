package stored

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"analyzer/columnar/vfs"
)

// HeadBytes is how many bytes of a file a Head has at most.
const HeadBytes = 4 << 10

// Head is the beginning of a file.
type Head struct {
	Stored []byte // as it is stored
	Text   []byte // decompressed and in UTF-8
	// Workbook means that it is an Excel workbook, of which Text has nothing.
	Workbook bool
}

// HeadOf reads the beginning of f. rest is to be used instead of f, if f cannot be read twice.
// What is damaged has no Text; whoever reads on finds out why.
func HeadOf(f vfs.File) (head Head, rest vfs.File, err error) {
	from, rest := io.Reader(nil), f
	if f.Seekable() {
		size, err := f.Size()
		if err != nil {
			return head, f, fmt.Errorf("find the size of %s: %w", f.Name(), err)
		}
		from = io.NewSectionReader(f, 0, size)
	} else {
		again := &replayed{File: f}
		from, rest = io.TeeReader(f, &again.begin), again
	}
	bytesOf := make([]byte, HeadBytes)
	n, err := io.ReadAtLeast(from, bytesOf, MagicBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return head, rest, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	head.Stored = bytesOf[:n]
	if Plain(head.Stored) {
		head.Text = head.Stored
		return head, rest, nil
	}
	var s Source
	if isZip(head.Stored) && f.Seekable() {
		if head.Workbook = isWorkbook(f); head.Workbook {
			return head, rest, nil
		}
		s, err = Open(f, Options{BlockSize: HeadBytes})
	} else {
		s, err = openStream(f, io.MultiReader(bytes.NewReader(head.Stored), from), Options{BlockSize: HeadBytes})
	}
	if err != nil {
		return head, rest, nil //nolint:nilerr // whoever reads the file gets the same error
	}
	text := make([]byte, HeadBytes)
	n, _ = s.Peek(text, 0)
	head.Text = text[:n]
	return head, rest, s.Close()
}

// replayed is a pipe whose beginning was read.
type replayed struct {
	vfs.File
	begin bytes.Buffer
}

// Read reads what was read before, and then reads on.
func (r *replayed) Read(p []byte) (int, error) {
	if r.begin.Len() > 0 {
		return r.begin.Read(p)
	}
	return r.File.Read(p)
}
