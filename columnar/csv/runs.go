package csv

import (
	"slices"
	"sort"
)

// runs says where in the bounds of a block its records lie: those that follow each other and have
// equally many fields are one run. In most files that is all records but a few. Where runs are many, the
// records are listed one by one instead.
type runs struct {
	list  []run // empty if the records are listed
	count int   // of records
	lines int   // about how many there will be
	end   int32 // where in bounds the last record ends, which is where the next one begins; noEnd: that is not known yet
	at    int   // the run that was asked for last

	begins []int32 // where in bounds each record begins, and then end, if they are listed; empty otherwise
}

// run is records of equally many fields.
type run struct {
	record int32 // the number of the first
	begin  int32 // where in bounds it begins
	fields int32
}

const noEnd = -1

// reset returns runs of no records, in the memory of l. The first record begins at bounds[end].
func (l *runs) reset(end int32) runs {
	return runs{list: l.list[:0], end: end, begins: l.begins[:0]}
}

// Records are listed if there are manyRuns and hardly oftenAlike records in each.
const (
	manyRuns   = 256
	oftenAlike = 8
)

// add adds a record whose last field ends at bounds[end].
func (l *runs) add(end int32) {
	if l.end == noEnd {
		l.end = end
		return
	}
	fields := end - l.end
	if last := l.last(); len(l.begins) == 0 && (last == nil || last.fields != fields) {
		if n := len(l.list); n < manyRuns || n*oftenAlike < l.count {
			l.list = append(l.list, run{record: int32(l.count), begin: l.end, fields: fields})
		} else {
			l.listBegins()
		}
	}
	if len(l.begins) > 0 {
		l.begins = append(l.begins, end)
	}
	l.count, l.end = l.count+1, end
}

// listBegins lists the records so far in place of their runs.
func (l *runs) listBegins() {
	l.begins = slices.Grow(l.begins[:0], max(l.lines, l.count)+2)
	for i := range l.list {
		in, next := l.run(i)
		for at := in.begin; int(next) > len(l.begins); at += in.fields {
			l.begins = append(l.begins, at)
		}
	}
	l.begins, l.list, l.at = append(l.begins, l.end), l.list[:0], 0
}

// repeat adds n records with as many fields as the last one, which is of a run. The last of them ends at bounds[end].
func (l *runs) repeat(n int, end int32) { l.count, l.end = l.count+n, end }

// last returns the run of the last record, nil if there is none, or the records are listed.
func (l *runs) last() *run {
	if len(l.list) == 0 {
		return nil
	}
	return &l.list[len(l.list)-1]
}

// pop drops the last record.
func (l *runs) pop() {
	l.count--
	if len(l.begins) > 0 {
		l.begins = l.begins[:l.count+1]
		l.end = l.begins[l.count]
		return
	}
	last := l.last()
	if l.end -= last.fields; int(last.record) == l.count {
		l.list, l.at = l.list[:len(l.list)-1], 0
	}
}

// nearRuns is how many runs are looked at, from the last one on, before all are searched.
const nearRuns = 3

// of returns the run of record r, and the number of the first record behind it. Calls with ascending r are
// cheap. A record that is listed is a run of its own.
func (l *runs) of(r int32) (in run, next int32) {
	if len(l.begins) > 0 {
		return run{r, l.begins[r], l.begins[r+1] - l.begins[r]}, r + 1
	}
	for at := l.at; at < min(l.at+nearRuns, len(l.list)); at++ {
		if in, next = l.run(at); r >= in.record && r < next {
			l.at = at
			return in, next
		}
	}
	l.at = sort.Search(len(l.list), func(i int) bool { return l.list[i].record > r }) - 1
	return l.run(l.at)
}

// find returns the number of the run of the first of some records, 0 if there are none. They are not listed.
func (l *runs) find(records []int32) int {
	if len(records) == 0 {
		return 0
	}
	l.of(records[0])
	return l.at
}

// run returns run i, and the number of the first record behind it.
func (l *runs) run(i int) (in run, next int32) {
	if i+1 < len(l.list) {
		return l.list[i], l.list[i+1].record
	}
	return l.list[i], int32(l.count)
}

// row returns where in bounds the field before record r ends.
func (l *runs) row(r int) int32 {
	if len(l.begins) > 0 {
		return l.begins[r]
	}
	in, _ := l.of(int32(r))
	return in.row(int32(r))
}

// fields returns how many fields record r has.
func (l *runs) fields(r int) int32 {
	if len(l.begins) > 0 {
		return l.begins[r+1] - l.begins[r]
	}
	in, _ := l.of(int32(r))
	return in.fields
}

// row is runs.row for one of its records.
func (in run) row(r int32) int32 { return in.begin + (r-in.record)*in.fields }
