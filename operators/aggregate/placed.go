package aggregate

import (
	"math"

	"analyzer/columnar"
)

// placed says which places the values of a key have: those in a dictionary, or, of whole numbers, those that are
// counted from the least on. The last of these is that of null.
type placed struct {
	dictionary *columnar.Vector // nil: numbers
	repeats    bool             // a key before has the same places, as columns of rows that are repeated have
	least      int64
	size       int // how many places there are; 0: unknown
}

// ofDictionary makes the places those of a dictionary. It reports whether they have changed. A key that repeats another
// one makes no more combinations.
func (p *placed) ofDictionary(d *columnar.Vector, repeats bool) bool {
	if p.dictionary == d && p.repeats == repeats {
		return false
	}
	if *p = (placed{dictionary: d, size: d.Len, repeats: repeats}); repeats {
		p.size = 1
	}
	return true
}

// ofNumbers gives places to the numbers of a batch too. It reports whether places have changed. More than fit are
// mostNumbers and one.
func (p *placed) ofNumbers(v *columnar.Vector, rows int) bool {
	if p.dictionary == nil && p.size > 0 && p.holds(v, rows) {
		return false
	}
	least, most := extremesOf(v, rows)
	if p.dictionary == nil && p.size > 0 {
		least, most = p.widened(least, most)
	}
	*p = placed{least: least, size: mostNumbers + 1}
	if span := uint64(most) - uint64(least); span < mostNumbers-1 {
		p.size = int(span) + 2
	}
	return true
}

// holds reports whether all numbers of a batch have places.
func (p *placed) holds(v *columnar.Vector, rows int) bool {
	furthest := uint64(0)
	if v.Valid == nil {
		for _, n := range v.Ints[:rows] {
			furthest = max(furthest, uint64(n)-uint64(p.least))
		}
	} else {
		for i, n := range v.Ints[:rows] {
			if v.Valid[i] {
				furthest = max(furthest, uint64(n)-uint64(p.least))
			}
		}
	}
	return furthest < uint64(p.size-1)
}

// extremesOf returns the least and the greatest number of a batch.
func extremesOf(v *columnar.Vector, rows int) (least, most int64) {
	least, most = math.MaxInt64, math.MinInt64
	for i, n := range v.Ints[:rows] {
		if v.Valid == nil || v.Valid[i] {
			least, most = min(least, n), max(most, n)
		}
	}
	if least > most {
		return 0, 0
	}
	return least, most
}

// widened returns the ends of what includes other numbers too, and some more, so that growing numbers seldom change the
// places.
func (p *placed) widened(least, most int64) (int64, int64) {
	last := p.least + int64(p.size-2)
	more := int64(p.size / 4)
	if least = min(least, p.least); least < p.least && least > math.MinInt64+more {
		least -= more
	}
	if most = max(most, last); most > last && most < math.MaxInt64-more {
		most += more
	}
	return least, most
}

// add makes combinations with the places of a key.
func (p *placed) add(combined []int32, v *columnar.Vector) {
	size := int32(p.size)
	switch {
	case p.repeats:
	case v.Dictionary != nil:
		for i, place := range v.Places[:len(combined)] {
			combined[i] = combined[i]*size + place
		}
	case v.Valid == nil:
		for i, n := range v.Ints[:len(combined)] {
			combined[i] = combined[i]*size + int32(n-p.least)
		}
	default:
		for i, n := range v.Ints[:len(combined)] {
			place := size - 1
			if v.Valid[i] {
				place = int32(n - p.least)
			}
			combined[i] = combined[i]*size + place
		}
	}
}
