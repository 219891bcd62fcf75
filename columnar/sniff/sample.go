package sniff

import (
	"bytes"
	"errors"
	"sync"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar/csv"
	"analyzer/columnar/number"
	"analyzer/columnar/vfs"
)

// The number and size of the samples of a large file, and how many records of each are compared with those
// that were counted at its beginning.
const (
	samples     = 16
	sampleBytes = 64 << 10
	compared    = countedRecords / samples
)

// sampled is memory of earlier samples, which new ones use again.
var sampled = sync.Pool{New: func() any { return new([samples][sampleBytes + number.Behind]byte) }}

// sample looks at lines spread over the file, if it can be read at any offset. A sample may
// begin within quotes, so its result is only likely.
func (f *File) sample(open func() (vfs.File, error)) error {
	if !f.anywhere {
		return nil
	}
	s := sampler{file: f, columns: make([][]int32, len(f.likely))}
	err := eachSample(open, s.take)
	if f.counted != nil {
		f.counted.seen = nil
	}
	return err
}

// eachSample calls f with lines from samples spread over a file; f borrows them, and may read number.Behind
// bytes more. It takes no samples of a small file.
func eachSample(open func() (vfs.File, error), f func(lines []byte)) (err error) {
	file, err := open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	size, err := file.Size()
	if err != nil || size < samples*sampleBytes {
		return err
	}
	read := sampled.Get().(*[samples][sampleBytes + number.Behind]byte)
	defer sampled.Put(read)
	var g errgroup.Group // files elsewhere answer late
	for i := range read {
		g.Go(func() error {
			_, err := file.ReadAt(read[i][:sampleBytes], (size-sampleBytes)*int64(i+1)/samples)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i := range read {
		data := read[i][:sampleBytes]
		// Use the lines between the first line break and the last.
		if at, end := bytes.IndexByte(data, '\n'), bytes.LastIndexByte(data, '\n'); at < end {
			f(data[at+1 : end+1])
		}
	}
	return nil
}

// sampler looks at the cells of samples, column by column.
type sampler struct {
	file    *File
	ends    []int32   // of a line: where its cells end
	columns [][]int32 // by column: the positions before and behind cells that are not empty
	column  csv.Column
	text    []byte
}

// take treats a line as a record if it has the right number of fields.
func (s *sampler) take(lines []byte) {
	for c := range s.columns {
		s.columns[c] = s.columns[c][:0]
	}
	for at, records := 0, 0; at < len(lines); {
		line, _, _ := bytes.Cut(lines[at:], []byte("\n"))
		s.split(bytes.TrimSuffix(line, []byte("\r")))
		if before := int32(at) - 1; len(s.ends) == len(s.columns) {
			for c, end := range s.ends {
				end += int32(at)
				s.put(c, lines, before, end, records < compared)
				before = end
			}
			records++
		}
		at += len(line) + 1
	}
	for c := range s.columns {
		s.look(c, lines)
	}
}

// split finds where the cells of a line end.
func (s *sampler) split(line []byte) {
	s.ends = s.ends[:0]
	quoted, delimiter := false, s.file.Delimiter[0]
	for i, c := range line {
		switch {
		case c == '"':
			quoted = !quoted
		case c == delimiter && !quoted:
			s.ends = append(s.ends, int32(i))
		}
	}
	s.ends = append(s.ends, int32(len(line)))
}

// put adds a cell to its column, without the quotes around it if that is its text, and counts it if it is to
// be compared.
func (s *sampler) put(c int, lines []byte, before, end int32, compared bool) {
	if n := end - before; n > 2 && lines[before+1] == '"' && lines[end-1] == '"' && bytes.IndexByte(lines[before+2:end-1], '"') < 0 {
		before, end = before+1, end-1
	}
	if counted := s.file.counted; compared && counted != nil {
		counted.meet(c, lines[before+1:end])
	}
	if s.file.likely[c] != text0 && end-before > 1 {
		s.columns[c] = append(s.columns[c], before, end)
	}
}

// look narrows what the cells of a column allow.
func (s *sampler) look(c int, lines []byte) {
	k, n := s.file.likely[c], len(s.columns[c])/2
	copy(s.column.Pairs(lines, n), s.columns[c])
	for i := skipPlain(k, &s.column, 0, n); i < n && k != text0; i = skipPlain(k, &s.column, i+1, n) {
		if s.text = csv.AppendUnquoted(s.text[:0], s.column.Cell(i)); len(s.text) > 0 {
			k = k.and(kindsAmong(s.text, s.file.Nulls))
		}
	}
	s.file.likely[c] = k
}
