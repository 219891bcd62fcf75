package csv

import (
	"slices"
	"sort"
)

// runs says where in the bounds of a block its records lie: those that follow each other and have
// equally many fields are one run. In most files that is all records but a few.
type runs struct {
	list  []run
	count int   // of records
	end   int32 // where in bounds the last record ends, which is where the next one begins; noEnd: that is not known yet
	at    int   // the run that was asked for last

	begins []int32 // where in bounds each record begins, and then end, if the runs are many; empty otherwise
}

// run is records of equally many fields.
type run struct {
	record int32 // the number of the first
	begin  int32 // where in bounds it begins
	fields int32
}

const noEnd = -1

// reset returns runs of no records, in the memory of l. The first record begins at bounds[end].
func (l *runs) reset(end int32) runs { return runs{list: l.list[:0], end: end, begins: l.begins[:0]} }

// Records are listed one by one if there are manyRecords and hardly oftenAlike of them in a run.
const (
	manyRecords = 64
	oftenAlike  = 8
)

// listBegins lists where the records begin, once all are there, if that is quicker than to look for their runs.
func (l *runs) listBegins() {
	if l.count < manyRecords || len(l.list)*oftenAlike < l.count {
		return
	}
	l.begins = slices.Grow(l.begins[:0], l.count+1)
	for i := range l.list {
		in, next := l.run(i)
		for at := in.begin; int(next) > len(l.begins); at += in.fields {
			l.begins = append(l.begins, at)
		}
	}
	l.begins = append(l.begins, l.end)
}

// add adds a record whose last field ends at bounds[end].
func (l *runs) add(end int32) { l.repeat(1, end) }

// repeat adds n records of equally many fields, of which the last one ends at bounds[end].
func (l *runs) repeat(n int, end int32) {
	if l.end == noEnd {
		l.end = end
		return
	}
	fields := (end - l.end) / int32(n)
	if last := l.last(); last == nil || last.fields != fields {
		l.list = append(roomy(l.list), run{record: int32(l.count), begin: l.end, fields: fields})
	}
	l.count, l.end = l.count+n, end
}

// roomy returns a list with room for one more element, which has twice as much when it is full: append alone leaves far
// more garbage of long ones.
func roomy(list []run) []run {
	if len(list) < cap(list) {
		return list
	}
	return slices.Grow(list, max(manyRecords, len(list)))
}

// last returns the run of the last record, nil if there is none.
func (l *runs) last() *run {
	if len(l.list) == 0 {
		return nil
	}
	return &l.list[len(l.list)-1]
}

// pop drops the last record.
func (l *runs) pop() {
	l.count--
	last := l.last()
	if l.end -= last.fields; int(last.record) == l.count {
		l.list, l.at = l.list[:len(l.list)-1], 0
	}
}

// nearRuns is how many runs are looked at, from the last one on, before all are searched.
const nearRuns = 3

// of returns the run of record r, and the number of the first record behind it. Calls with ascending r are
// cheap.
func (l *runs) of(r int32) (in *run, next int32) {
	for at := l.at; at < min(l.at+nearRuns, len(l.list)); at++ {
		if in, next = l.run(at); r >= in.record && r < next {
			l.at = at
			return in, next
		}
	}
	l.at = sort.Search(len(l.list), func(i int) bool { return l.list[i].record > r }) - 1
	return l.run(l.at)
}

// find returns the number of the run of the first of some records, 0 if there are none.
func (l *runs) find(records []int32) int {
	if len(records) == 0 {
		return 0
	}
	l.of(records[0])
	return l.at
}

// run returns run i, and the number of the first record behind it.
func (l *runs) run(i int) (in *run, next int32) {
	if i+1 < len(l.list) {
		return &l.list[i], l.list[i+1].record
	}
	return &l.list[i], int32(l.count)
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
func (in *run) row(r int32) int32 { return in.begin + (r-in.record)*in.fields }
