package columnar_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/rowtest"
)

// fill puts rows in pages, some by range and some by position, and returns the id
// of each.
func fill(p *columnar.Pages, rows columnar.Rows, batch int) []uint32 {
	var ids []uint32
	note := func(n int) {
		page := p.Count() - 1
		for i := p.Page(page).Len - n; n > 0; n, i = n-1, i+1 {
			ids = append(ids, columnar.RowID(page, i))
		}
	}
	for lo := 0; lo < rows.Len; lo += batch {
		part := rows.Slice(lo, min(lo+batch, rows.Len))
		sel := make([]int32, part.Len)
		for i := range sel {
			sel[i] = int32(i)
		}
		for at := 0; at < part.Len; {
			var next int
			if lo%2 == 0 {
				next = p.Append(part, at)
			} else {
				next = p.AppendGather(part, sel, at)
			}
			note(next - at)
			at = next
		}
	}
	return ids
}

func TestPagesKeepEveryRowWhereItIs(t *testing.T) {
	for _, nulls := range []int{0, 2} {
		t.Run(fmt.Sprintf("nulls %d", nulls), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(1, uint64(nulls)))
			rows := rowtest.Random(rng, everyType, 3*columnar.PageRows, nulls)
			p := columnar.NewPages(everyType)
			for range 2 {
				ids := fill(p, rows, 999)
				if p.Len() != rows.Len || p.IDs() <= int(ids[len(ids)-1]) || p.Size() < rows.ValueBytes() {
					t.Fatalf("%d rows, ids below %d, %d bytes", p.Len(), p.IDs(), p.Size())
				}
				some := make([]uint32, 500)
				sel := make([]int32, len(some))
				for i := range some {
					sel[i] = int32(rng.IntN(rows.Len))
					some[i] = ids[sel[i]]
				}
				got, want := columnar.NewRows(everyType), columnar.NewRows(everyType)
				for lo := 0; lo < len(some); lo += 100 {
					p.Gather(&got, some[lo:lo+100])
				}
				want.AppendGather(rows, sel)
				rowtest.Same(t, got, want)

				copied := columnar.NewPages(everyType)
				copied.AppendRows(p, ids)
				rowtest.Same(t, collect(t, copied, budget.New(0).Reserve("test")), rows)
				p.Reset()
			}
		})
	}
}

// collect drains pages.
func collect(t *testing.T, p *columnar.Pages, r *budget.Reservation) columnar.Rows {
	t.Helper()
	all := columnar.NewRows(everyType)
	if err := p.Drain(r, func(rows columnar.Rows) error { all.AppendRange(rows, 0, rows.Len); return nil }); err != nil {
		t.Fatal(err)
	}
	if p.Len() != 0 || p.Count() != 0 || p.Size() != 0 {
		t.Errorf("%d rows on %d pages of %d bytes after draining", p.Len(), p.Count(), p.Size())
	}
	return all
}

func TestPagesGiveBackWhatTheyDrain(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(2, 0)), everyType, 4*columnar.PageRows, 1)
	r := budget.New(0).Reserve("test")
	p := columnar.NewPages(everyType)
	fill(p, rows, columnar.PageRows)
	if !p.Reserve(r, 1000, 0) || r.Size() < p.Size()+1000 {
		t.Fatalf("%d bytes reserved for pages of %d", r.Size(), p.Size())
	}
	whole, least := r.Size(), r.Size()
	failed := errors.New("no more")
	err := p.Drain(r, func(columnar.Rows) error {
		if least = min(least, r.Size()); least < whole/2 {
			return failed
		}
		return nil
	})
	if !errors.Is(err, failed) {
		t.Errorf("of %d bytes %d were reserved at the end: %v", whole, least, err)
	}
}

// TestPagesRetain keeps some rows of each page without growing the memory much.
func TestPagesRetain(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	rows := rowtest.Random(rng, everyType, 5*columnar.PageRows/2, 1)
	p := columnar.NewPages(everyType)
	for _, share := range []int{1, 2, 10, 1 << 30} {
		ids := fill(p, rows, 777)
		var sel []int32
		at, size := 0, p.Size()
		p.Retain(func(page columnar.Rows) (chosen []int32) {
			for i := range page.Len {
				if rng.IntN(share) == 0 {
					chosen, sel = append(chosen, int32(i)), append(sel, int32(at+i))
				}
			}
			at += page.Len
			return chosen
		})
		if at != len(ids) || p.Len() != len(sel) || p.Used() > p.Size() || share > 2 && p.Used() > size/2 || p.Size() > size+size/2 {
			t.Errorf("one in %d: of %d rows %d were shown, %d stay of %d; %d bytes of %d are used, %d were there",
				share, len(ids), at, p.Len(), len(sel), p.Used(), p.Size(), size)
		}
		got, want := columnar.NewRows(everyType), columnar.NewRows(everyType)
		for i := range p.Count() {
			got.AppendRange(p.Page(i), 0, p.Page(i).Len)
		}
		want.AppendGather(rows, sel)
		rowtest.Same(t, got, want)
		if used := p.Used(); share == 10 {
			if p.Trim(); p.Size() != used || p.Used() != used || p.Len() != len(sel) {
				t.Errorf("%d rows in %d bytes after trimming, %d were used", p.Len(), p.Size(), used)
			}
		}
		p.Reset()
	}
}

func TestReserveStopsAtTheFloor(t *testing.T) {
	p := columnar.NewPages(everyType)
	r := budget.New(100).Reserve("test")
	if !p.Reserve(r, 100, 0) || p.Reserve(r, 101, 100) || !p.Reserve(r, 101, 101) || r.Size() != 101 {
		t.Errorf("%d bytes are reserved", r.Size())
	}
}

func TestPagesOfBorrowedRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	p := columnar.NewPages(everyType)
	for round := range 3 {
		var want columnar.Rows
		for i := range 4 {
			rows := rowtest.Random(rng, everyType, 50, round)
			p.Put(i, rows)
			if i == 2 {
				want = rows
			}
		}
		got := columnar.NewRows(everyType)
		for i := range want.Len {
			p.Gather(&got, []uint32{columnar.RowID(2, i)})
			if v, at := p.Value(0, columnar.RowID(2, i)); v != want.Cols[0] || at != i {
				t.Fatal("a value is elsewhere")
			}
		}
		rowtest.Same(t, got, want)
		if p.Len() != 200 || p.Size() != 0 {
			t.Errorf("%d rows of %d bytes", p.Len(), p.Size())
		}
	}
}
