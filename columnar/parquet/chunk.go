package parquet

import (
	"math"
	"slices"

	"github.com/apache/arrow/go/v17/parquet"

	"analyzer/columnar"
)

// chunk is a worker's state of reading one column in one row group.
type chunk struct {
	column *Column
	pages  pages
	opened bool
	group  int
	places places // of the pages
	placed bool   // they were read, if there are any
	at     int64  // rows of the group that were read or skipped
	begun  int    // entries of the page that were read or skipped
	owed   int    // how many of these are still to be skipped when the page has its content
	loaded bool   // the page has its content
	stored values

	dictionary *columnar.Vector // its values, converted, and then a null; nil: there is none
	without    *columnar.Vector // the dictionary without the null
	raw        *columnar.Vector // values as they are stored, if they are converted to another kind
	valid      []bool           // memory for the vector's Valid
	skipped    []bool           // memory for the same of entries that are skipped
	codes      []int32          // places in the dictionary of the rows that were read last
	nulls      bool             // some rows that were read are null
}

// newChunk returns the state of a column, with memory for pages that are compressed, which columns share.
func newChunk(c *Column, compressed *[]byte) chunk {
	return chunk{column: c, pages: pages{compressed: compressed}}
}

// open opens the column in a row group.
func (c *chunk) open(f *File, group int) error {
	c.at, c.begun, c.owed, c.loaded, c.dictionary, c.nulls = 0, 0, 0, false, nil, false
	c.group, c.places, c.placed = group, places{}, false
	c.stored = values{deltas: c.stored.deltas, joined: c.stored.joined}
	err := c.pages.open(f, group, c.column.leaf)
	c.opened = err == nil
	return err
}

// page goes to a page of which entries are left, and returns how many. It returns io.EOF at the end
// of the row group.
func (c *chunk) page() (int, error) {
	for c.begun == c.pages.entries || c.pages.kind == dictionaryPage {
		if c.pages.entries > 0 && !c.loaded && c.pages.kind != dictionaryPage {
			if err := c.passOver(); err != nil {
				return 0, err
			}
		}
		c.begun, c.owed, c.loaded = 0, 0, false
		if err := c.pages.next(); err != nil {
			c.pages.page = page{}
			return 0, err
		}
		if c.pages.kind == dictionaryPage {
			if err := c.readDictionary(); err != nil {
				return 0, err
			}
		}
	}
	return c.pages.entries - c.begun, nil
}

// passOver passes over a page that is not needed, but for its last value if the next page may refer
// to that one.
func (c *chunk) passOver() error {
	if c.pages.encoding == parquet.Encodings.DeltaByteArray {
		return c.load()
	}
	c.pages.skip()
	return nil
}

// load reads the content of the page.
func (c *chunk) load() error {
	if c.loaded {
		return nil
	}
	if err := c.pages.load(); err != nil {
		return err
	}
	c.loaded = true
	if err := c.stored.begin(&c.pages); err != nil || c.owed == 0 {
		return err
	}
	return c.skipValues(c.owed)
}

// mayHave returns the values that the next n rows may have, converted, and then a null; nil: unknown.
func (c *chunk) mayHave(n int) (*columnar.Vector, error) {
	left, err := c.page()
	if err != nil {
		return nil, ended(err)
	}
	if coded := c.pages.encoding == parquet.Encodings.PlainDict || c.pages.encoding == parquet.Encodings.RLEDict; !coded || left < n {
		return nil, nil
	}
	return c.dictionary, nil
}

// readDictionary reads and converts a dictionary.
func (c *chunk) readDictionary() error {
	if err := c.pages.load(); err != nil {
		return err
	}
	d, n := columnar.NewVector(c.column.Type), c.pages.entries
	plain := values{column: c.pages.column, data: c.pages.values, left: math.MaxInt}
	if n > len(plain.data)+1 { // An empty text takes more than a byte, and so does a number.
		return errDictionary
	}
	c.pages.page = page{}
	if err := c.append(d, &plain, n); err != nil {
		return err
	}
	c.without = d.Slice(0, n)
	d.Len = n
	d.AppendNull()
	c.dictionary = d
	return nil
}

// append appends values that are not in a dictionary to a vector of the column's type.
func (c *chunk) append(v *columnar.Vector, from *values, n int) error {
	raw := v
	if c.column.raw.Kind() != v.Type.Kind() {
		if c.raw == nil {
			c.raw = columnar.NewVector(c.column.raw)
		}
		raw = c.raw
		raw.Reset()
	}
	first := raw.Len
	if err := from.append(raw, n); err != nil {
		return err
	}
	raw.Len = first + n
	if raw != v {
		v.Len += n
	}
	if c.column.convert == nil {
		return nil
	}
	return c.column.convert(v, raw, first)
}

// skip passes over rows of a column without lists.
func (c *chunk) skip(f *File, n int64) error {
	for c.at += n; n > 0; {
		left, err := c.page()
		if err != nil {
			return ended(err)
		}
		if part, err := c.jump(f, n, int64(left)); err != nil {
			return err
		} else if part > 0 {
			n -= part
			continue
		}
		part := int(min(n, int64(left)))
		if !c.loaded {
			c.owed += part
		} else if err := c.skipValues(part); err != nil {
			return err
		}
		c.begun += part
		n -= int64(part)
	}
	return nil
}

// jump passes over up to n rows, to the beginning of a page behind this one, of which left rows are left, if the file
// says where that begins. It returns how many rows these were. Pages whose values depend on those of the page before
// are not jumped to.
func (c *chunk) jump(f *File, n, left int64) (int64, error) {
	if n <= left || c.pages.encoding == parquet.Encodings.DeltaByteArray {
		return 0, nil
	}
	if !c.placed {
		k, err := f.footer.chunk(c.group, c.column.leaf)
		if err == nil {
			c.places, err = f.places(c.group, &k)
		}
		if err != nil {
			return 0, err
		}
		c.placed = true
	}
	from := c.at - n
	page := c.places.of(c.at)
	if page < 0 || c.places.rows[page] <= from+left {
		return 0, nil
	}
	row := c.places.rows[page]
	c.pages.jump(c.places.offsets[page], row)
	c.begun, c.owed, c.loaded = 0, 0, false
	return row - from, nil
}

// skipValues passes over entries of a page that is loaded.
func (c *chunk) skipValues(n int) error {
	all, err := c.allPresent(n)
	if err == nil && !all {
		c.skipped = growTo(c.skipped, n)
		n, err = c.pages.definition.truths(c.skipped)
	}
	if err != nil {
		return err
	}
	return c.stored.skip(n)
}

// read reads the next n rows of a column without lists. If all of them have their values in the
// dictionary, it leaves the vector empty, sets codes and returns true; nulls says whether some refer to
// the null after it.
func (c *chunk) read(v *columnar.Vector, n int) (coded, nulls bool, err error) {
	c.at += int64(n)
	c.valid, c.codes = growTo(c.valid, n), growTo(c.codes, n)
	filled := 0 // so many of valid are set; those before done that are not are true
	for done := 0; done < n; {
		left, err := c.page()
		if err == nil {
			err = c.load()
		}
		if err != nil {
			return false, false, ended(err)
		}
		part := min(left, n-done)
		valid, present := c.valid[done:done+part], part
		if all, err := c.allPresent(part); err != nil {
			return false, false, err
		} else if !all {
			setTrue(c.valid[filled:done])
			if present, err = c.pages.definition.truths(valid); err != nil {
				return false, false, err
			}
			filled = done + part
		}
		nulls = nulls || present < part
		if done == 0 {
			coded = c.stored.coded
		} else if coded && !c.stored.coded {
			c.expand(v, c.codes[:done])
			coded = false
		}
		if err := c.readPart(v, c.codes[done:done+part], valid, present, coded); err != nil {
			return false, false, err
		}
		c.begun += part
		done += part
	}
	if nulls {
		c.nulls = true
		setTrue(c.valid[filled:])
		if !coded {
			v.Valid = c.valid
		}
	}
	return coded, nulls, nil
}

// allPresent reports whether none of the next n entries is null, and passes over their levels then.
func (c *chunk) allPresent(n int) (bool, error) {
	if c.pages.column.MaxDefinitionLevel() == 0 {
		return true, nil
	}
	return c.pages.definition.allTrue(n)
}

func setTrue(all []bool) {
	for i := range all {
		all[i] = true
	}
}

// readPart reads entries of one page. If all rows so far are coded, it only reads their codes.
func (c *chunk) readPart(v *columnar.Vector, codes []int32, valid []bool, present int, coded bool) error {
	if !c.stored.coded {
		if err := c.append(v, &c.stored, present); err != nil {
			return err
		}
		if present < len(valid) {
			spread(v, valid)
		}
		return nil
	}
	if err := c.readCodes(codes, valid, present); err != nil {
		return err
	}
	if !coded {
		c.expand(v, codes)
	}
	return nil
}

// readCodes reads the codes of entries; those of nulls refer to the null after the dictionary.
func (c *chunk) readCodes(codes []int32, valid []bool, present int) error {
	if c.dictionary == nil {
		return errDictionary
	}
	most, err := c.stored.codes.read(codes[:present])
	if err != nil {
		return err
	}
	if present > 0 && most >= uint32(c.without.Len) {
		return errDictionary
	}
	if present < len(codes) {
		null, last := int32(c.without.Len), present-1
		for i := len(codes) - 1; i >= 0; i-- { // without a branch, as nobody can predict nulls
			code, step := codes[max(last, 0)], 0
			if !valid[i] {
				code = null
			}
			if valid[i] {
				step = 1
			}
			codes[i] = code
			last -= step
		}
	}
	return nil
}

// expand appends the values that codes stand for. Which of them are null is known otherwise.
func (c *chunk) expand(v *columnar.Vector, codes []int32) {
	all := *c.dictionary
	all.Valid = nil
	v.AppendGather(&all, codes)
}

// spread moves values at the end of a vector, of which there is one for each true, to the places of
// these, and puts zeros in the places of nulls.
func spread(v *columnar.Vector, valid []bool) {
	present := 0
	for _, ok := range valid {
		if ok {
			present++
		}
	}
	v.Len += len(valid) - present
	switch v.Type.Kind() {
	case columnar.KindBool:
		v.Bools = spreadOut(v.Bools, valid, present)
	case columnar.KindInt64:
		v.Ints = spreadOut(v.Ints, valid, present)
	case columnar.KindFloat64:
		v.Floats = spreadOut(v.Floats, valid, present)
	case columnar.KindInt128:
		v.Wides = spreadOut(v.Wides, valid, present)
	case columnar.KindBytes:
		v.Offsets = slices.Grow(v.Offsets, len(valid)-present)[:v.Len+1]
		ends := v.Offsets[v.Len+1-len(valid):]
		end := ends[max(present-1, 0)]
		if present == 0 {
			end = v.Offsets[v.Len-len(valid)]
		}
		begin := v.Offsets[v.Len-len(valid)]
		for i := len(valid) - 1; i >= 0; i-- {
			ends[i] = end
			if valid[i] {
				present--
			}
			if end = ends[max(present-1, 0)]; present == 0 {
				end = begin
			}
		}
	}
}

func spreadOut[T any](all []T, valid []bool, present int) []T {
	all = slices.Grow(all, len(valid)-present)[:len(all)+len(valid)-present]
	values := all[len(all)-len(valid):]
	var zero T
	for i := len(valid) - 1; i >= 0; i-- {
		if !valid[i] {
			values[i] = zero
			continue
		}
		present--
		values[i] = values[present]
	}
	return all
}

func growTo[T any](s []T, n int) []T { return slices.Grow(s[:0], n)[:n] }

// otherEncoding is the error of a page whose values have an encoding that its column cannot have.
func otherEncoding(e parquet.Encoding, t parquet.Type) error {
	return otherWay("the encoding %s of the type %s is not read", e, t)
}
