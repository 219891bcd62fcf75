package parquet

import (
	"io"
	"slices"
)

// window reads a part of a file from its beginning to its end. What is passed over without being looked at is not
// read.
type window struct {
	from    io.ReaderAt
	at, end int64  // of the file: what comes after the buffer, and the part
	buffer  []byte // what was read and not taken
	memory  []byte
}

func (w *window) open(from io.ReaderAt, at, end int64) {
	w.from, w.at, w.end, w.buffer = from, at, end, nil
}

// peek returns the next n bytes, or those until the end, and an error if they are fewer.
func (w *window) peek(n int) ([]byte, error) {
	if n > len(w.buffer) {
		if n > len(w.memory) {
			w.memory = slices.Concat(w.buffer, make([]byte, max(n, pageBuffer)-len(w.buffer)))
		} else {
			copy(w.memory, w.buffer)
		}
		err := w.fill(len(w.buffer))
		if len(w.buffer) < n {
			return w.buffer, err
		}
	}
	return w.buffer[:n], nil
}

// fill reads into the memory behind the bytes that it has.
func (w *window) fill(has int) error {
	part := min(int64(len(w.memory)-has), w.end-w.at)
	n, err := w.from.ReadAt(w.memory[has:has+int(max(part, 0))], w.at)
	w.at += int64(n)
	w.buffer = w.memory[:has+n]
	if err == nil {
		err = io.EOF
	}
	return err
}

// pass passes over n bytes.
func (w *window) pass(n int) {
	buffered := min(n, len(w.buffer))
	w.buffer = w.buffer[buffered:]
	w.at += int64(n - buffered)
}

// read reads as many bytes as dst has.
func (w *window) read(dst []byte) error {
	n := copy(dst, w.buffer)
	w.buffer = w.buffer[n:]
	if dst = dst[n:]; len(dst) == 0 {
		return nil
	}
	if int64(len(dst)) > w.end-w.at {
		return io.ErrUnexpectedEOF
	}
	n, err := w.from.ReadAt(dst, w.at)
	if w.at += int64(n); n == len(dst) {
		return nil
	}
	return err
}

// seek goes to a place in the file.
func (w *window) seek(at int64) { w.at, w.buffer = at, nil }

// place returns where in the file the next byte is.
func (w *window) place() int64 { return w.at - int64(len(w.buffer)) }
