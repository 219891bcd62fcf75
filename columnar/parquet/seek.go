package parquet

import (
	"cmp"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/input"
)

// promise is what statistics say of the rows of a row group that are sought.
type promise struct {
	nulls bool             // some may be null, and those are wanted first
	end   *columnar.Vector // the first value, by what is known; nil: unknown
}

// Seek has workers get the row groups first in which rows that are sought by a column may be; see input.Seeker.
func (f *File) Seek(column int, by input.Sought) {
	c := &f.columns[column]
	if c.root != nil {
		return
	}
	promises := make([]promise, len(f.groups))
	for _, g := range f.order {
		_ = f.source.guard(*c, 0, func() (err error) { // the pages say what is wrong with the file
			promises[g], err = f.promiseOf(g, c, by)
			return err
		})
	}
	slices.SortStableFunc(f.order, func(a, b int) int { return promises[a].compare(promises[b], by.Descending) })
}

func (f *File) promiseOf(group int, c *Column, by input.Sought) (p promise, err error) {
	known, err := f.boundsOf(group, c)
	if err != nil {
		return p, err
	}
	if p.nulls, p.end = by.NullsFirst && !known.NoNulls, known.Least; by.Descending {
		p.end = known.Greatest
	}
	if p.end == nil && by.Descending && c.Type == columnar.Float {
		k, err := f.footer.chunk(group, c.leaf)
		if err != nil || k.stats.greatest == nil {
			return p, err
		}
		p.end, err = floatOf(k.stats.greatest) // no bound, since there may be NaN, but likely
		return p, err
	}
	return p, nil
}

// compare compares by what should be read first.
func (p promise) compare(o promise, descending bool) int {
	switch {
	case p.nulls != o.nulls:
		return first(p.nulls)
	case p.end == nil || o.end == nil:
		return cmp.Compare(first(p.end != nil), first(o.end != nil))
	case descending:
		return compareFirst(o.end, p.end)
	}
	return compareFirst(p.end, o.end)
}

// first returns a number that is less for what comes first.
func first(is bool) int {
	if is {
		return -1
	}
	return 1
}
