package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Excel's sheets end there.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// rows reads the rows of a sheet as CSV.
type rows struct {
	book        *book
	xml         *scanner
	first, last int // the columns that have values, from 1
	row         int // the last row written
	out         []byte
	read        int // of out
	done        error
}

// Read reads CSV.
func (r *rows) Read(p []byte) (int, error) {
	for r.read == len(r.out) {
		if r.done != nil {
			return 0, r.done
		}
		r.out, r.read = r.out[:0], 0
		for len(r.out) < 64<<10 && r.done == nil {
			r.done = r.next()
		}
	}
	n := copy(p, r.out[r.read:])
	r.read += n
	return n, nil
}

// cell is what a sheet says about a cell.
type cell struct {
	kind    []byte
	style   int
	value   []byte
	formula []byte
	given   bool // there is a value
}

// next writes the next row that has values.
func (r *rows) next() error {
	s := r.xml
	for s.next() {
		switch {
		case s.begins("row"):
			number, err := rowOf(s.attr("r"), r.row)
			if err != nil {
				return err
			}
			begin, before := len(r.out), r.row
			for ; r.row < number-1; r.row++ {
				r.out = append(r.out, '\n')
			}
			r.row = number
			some, err := r.cells()
			if err != nil {
				return fmt.Errorf("row %d: %w", number, err)
			}
			if !some { // an empty line for each such row, if others follow
				r.out, r.row = r.out[:begin], before
				continue
			}
			r.out = append(r.out, '\n')
			return nil
		case s.ends("sheetData"):
			return io.EOF
		}
	}
	if err := s.failure(); err != nil {
		return err
	}
	return io.EOF
}

// rowOf returns the number of a row, which follows the last one if nothing is said.
func rowOf(said []byte, last int) (int, error) {
	if said == nil {
		return last + 1, nil
	}
	n, err := strconv.Atoi(string(said))
	if err != nil || n <= last || n > maxRows {
		return 0, errOrder
	}
	return n, nil
}

// columnOf returns the number of a cell's column, such as 28 for AB7.
func columnOf(said []byte, last int) (int, error) {
	if said == nil {
		return last + 1, nil
	}
	n := 0
	for _, c := range said {
		if c |= 0x20; c < 'a' || c > 'z' || n > maxColumns {
			break
		}
		n = n*26 + int(c-'a'+1)
	}
	if n <= last || n > maxColumns {
		return 0, errOrder
	}
	return n, nil
}

// cells writes the cells of a row, and reports whether one has a value.
func (r *rows) cells() (some bool, err error) {
	at := r.first - 1 // columns written
	err = eachCell(r.xml, func(column int, c *cell) error {
		if !c.given && len(c.formula) == 0 || column > r.last {
			return nil
		}
		for some = true; at < column; at++ {
			if at >= r.first {
				r.out = append(r.out, ',')
			}
		}
		return r.write(c)
	})
	for ; some && at < r.last; at++ {
		r.out = append(r.out, ',')
	}
	return some, err
}

// eachCell calls do for the cells of a row.
func eachCell(s *scanner, do func(column int, c *cell) error) error {
	if s.empty {
		return nil
	}
	var c cell
	column, phonetic := 0, false
	for s.next() {
		var err error
		switch {
		case s.ends("row"):
			return nil
		case s.begins("c"):
			if column, err = columnOf(s.attr("r"), column); err != nil {
				return err
			}
			c.kind, c.value, c.formula, c.given = append(c.kind[:0], s.attr("t")...), c.value[:0], c.formula[:0], false
			c.style, _ = strconv.Atoi(string(s.attr("s")))
			if s.empty {
				err = do(column, &c)
			}
		case s.ends("c"):
			err = do(column, &c)
		case s.end && string(s.name) == "v":
			c.value, c.given = append(c.value[:0], s.text...), true
		case string(s.name) == "rPh" && !s.empty:
			phonetic = !s.end
		case s.end && string(s.name) == "t" && !phonetic:
			c.value, c.given = append(c.value, s.text...), true
		case s.ends("f"):
			if c.formula = append(c.formula[:0], '='); !s.empty {
				c.formula = append(c.formula, s.text...)
			}
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(s.failure(), io.ErrUnexpectedEOF)
}

// extent returns the first and the last column of a sheet that have values. Sheets also say that
// themselves, and are often wrong.
func extent(f *zip.File) (first, last int, err error) {
	body, err := f.Open()
	if err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	first = maxColumns
	s := newScanner(body)
	for s.next() && !s.ends("sheetData") {
		if !s.begins("row") {
			continue
		}
		err := eachCell(s, func(column int, c *cell) error {
			if c.given || len(c.formula) > 0 {
				first, last = min(first, column), max(last, column)
			}
			return nil
		})
		if err != nil {
			return 0, 0, err
		}
	}
	if last == 0 {
		first = 1
	}
	return first, last, s.failure()
}

// write writes a value.
func (r *rows) write(c *cell) error {
	if !c.given { // no program has computed the formula
		r.quote(c.formula)
		return nil
	}
	switch string(c.kind) {
	case "s":
		n, err := strconv.Atoi(string(bytes.TrimSpace(c.value)))
		if err != nil {
			return err
		}
		text, err := r.book.texts.at(n)
		r.quote(text)
		return err
	case "b":
		r.out = strconv.AppendBool(r.out, string(c.value) == "1" || string(c.value) == "true")
	case "str", "inlineStr":
		r.quote(appendText(nil, c.value))
	case "d", "e":
		r.quote(bytes.Replace(c.value, []byte("T"), []byte(" "), 1))
	default:
		r.number(c)
	}
	return nil
}

// quote writes a text.
func (r *rows) quote(text []byte) {
	r.out = append(r.out, '"')
	for {
		at := bytes.IndexByte(text, '"')
		if at < 0 {
			break
		}
		r.out = append(append(r.out, text[:at+1]...), '"')
		text = text[at+1:]
	}
	r.out = append(append(r.out, text...), '"')
}

// plainDigits is how many characters a number has at most that is written as it is.
const plainDigits = 16

// number writes a number, or the date that it stands for.
func (r *rows) number(c *cell) {
	value := bytes.TrimSpace(c.value)
	format := asNumber
	if c.style >= 0 && c.style < len(r.book.formats) {
		format = r.book.formats[c.style]
	}
	if format == asNumber && len(value) <= plainDigits && bytes.IndexByte(value, 'E') < 0 {
		r.plain(value)
		return
	}
	v, err := strconv.ParseFloat(string(value), 64)
	if err != nil {
		r.quote(value)
		return
	}
	if format != asNumber {
		out, ok := appendSerial(r.out, v, format, r.book.from)
		if r.out = out; ok {
			return
		}
	}
	form := byte('f')
	if abs := max(v, -v); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		form = 'e'
	}
	r.out = strconv.AppendFloat(r.out, v, form, -1, 64)
}

// plain writes a short number as it is.
func (r *rows) plain(value []byte) {
	for _, c := range value {
		if (c < '0' || c > '9') && c != '.' && c != '-' {
			r.quote(value)
			return
		}
	}
	r.out = append(r.out, value...)
}
