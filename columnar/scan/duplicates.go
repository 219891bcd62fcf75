package scan

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"sort"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// Duplicates lists the rows of a file that have the key of an earlier row. A row is identified
// by its place, the value of columnar.FormatPosition: its offset in the decompressed file, or
// its number in a Parquet file. The list is on disk, so its length is not limited by memory.
// Once it is complete, several scans may use it concurrently.
type Duplicates struct {
	file  vfs.File
	to    *bufio.Writer
	count int64
}

const placeBytes = 8

// NewDuplicates returns an empty list that is stored in f, an empty file. The caller keeps f.
func NewDuplicates(f vfs.File) *Duplicates {
	return &Duplicates{file: f, to: bufio.NewWriter(f)}
}

// Add appends places, which must ascend within and across calls.
func (d *Duplicates) Add(places []int64) error {
	var b [placeBytes]byte
	for _, place := range places {
		binary.LittleEndian.PutUint64(b[:], uint64(place))
		if _, err := d.to.Write(b[:]); err != nil {
			return fmt.Errorf("keep the places of rows with equal keys: %w", err)
		}
	}
	d.count += int64(len(places))
	return nil
}

// Complete must be called after the last Add.
func (d *Duplicates) Complete() error {
	if err := d.to.Flush(); err != nil {
		return fmt.Errorf("keep the places of rows with equal keys: %w", err)
	}
	return nil
}

// within returns the places in [begin, end), in dst's memory.
func (d *Duplicates) within(dst []int64, begin, end int64) (places []int64, err error) {
	dst = dst[:0]
	at := func(i int) int64 {
		var b [placeBytes]byte
		if _, failed := d.file.ReadAt(b[:], int64(i)*placeBytes); failed != nil && failed != io.EOF {
			err = failed
		}
		return int64(binary.LittleEndian.Uint64(b[:]))
	}
	for i := sort.Search(int(d.count), func(i int) bool { return at(i) >= begin }); i < int(d.count) && err == nil; i++ {
		place := at(i)
		if place >= end {
			break
		}
		dst = append(dst, place)
	}
	if err != nil {
		return nil, fmt.Errorf("look up rows with equal keys: %w", err)
	}
	return dst, nil
}

// rejectDuplicates rejects the records of the block that have the key of an earlier row. It
// returns the total number of rejected records in the block.
func (w *cellWorker) rejectDuplicates() (rejected int, err error) {
	n := w.block.Len()
	if n == 0 {
		return w.rejected, nil
	}
	w.places, err = w.scan.opts.Duplicates.within(w.places, w.block.Offset(0), w.block.End())
	if err != nil || len(w.places) == 0 {
		return w.rejected, err
	}
	places := w.places
	for r := 0; r < n && len(places) > 0; r++ {
		if w.block.Offset(r) == places[0] && w.status[r] == valid {
			w.reject(r, duplicate)
			places = places[1:]
		}
	}
	if len(places) > 0 {
		return 0, w.scan.changed()
	}
	w.valid = w.listValid()
	return w.rejected, nil
}

// changed returns the error for a file whose rows have moved since their keys were compared.
func (s *Scan) changed() error {
	return &InputError{
		File: s.file, Reason: ReasonKey, Detail: "the file changed while it was read", Hint: "try again when nobody writes to it",
	}
}

// keyHeaders returns the names of the key's columns in the header.
func (s *Scan) keyHeaders() string {
	return strings.Join(columnar.Each(s.key, func(c column) string { return c.Header }), ",")
}

// keyCells returns the key of a record for display.
func (w *cellWorker) keyCells(r int) string {
	var text []byte
	for i, c := range w.scan.key {
		if i > 0 {
			text = append(text, ',')
		}
		text = w.block.Quoting().Append(text, w.block.Cell(r, c.field))
	}
	return excerpt(text)
}
