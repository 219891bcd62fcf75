package spill

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/vfs/vfstest"
)

func TestRowsComeBackByPartitionInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "rows"), 0))
		partitions := rapid.IntRange(1, 5).Draw(t, "partitions")
		w := newWorld(rapid.SampledFrom([]int64{0, 1}).Draw(t, "budget"), partitions, nil)
		s := New(w.cfg)
		want := make([][]string, partitions)
		rows := rowtest.Random(rng, everyType, 60, rapid.IntRange(0, 2).Draw(t, "nulls"))
		hashes := make([]uint64, rows.Len)
		for i := range hashes {
			hashes[i] = rng.Uint64()
		}
		spilled := false
		t.Repeat(map[string]func(*rapid.T){
			"add": func(t *rapid.T) {
				lo := rapid.IntRange(0, rows.Len).Draw(t, "lo")
				hi := rapid.IntRange(lo, rows.Len).Draw(t, "hi")
				for i := lo; i < hi; i++ {
					p := Partition(hashes[i], 7, partitions)
					want[p] = append(want[p], rowtest.Line(rows, i))
				}
				if err := s.Add(rows.Slice(lo, hi), hashes[lo:hi], 7); err != nil {
					t.Fatal(err)
				}
			},
			"add to one": func(t *rapid.T) {
				p, lo := rapid.IntRange(0, partitions-1).Draw(t, "partition"), rapid.IntRange(0, rows.Len).Draw(t, "lo")
				for i := lo; i < rows.Len; i++ {
					want[p] = append(want[p], rowtest.Line(rows, i))
				}
				if err := s.AddTo(p, rows.Slice(lo, rows.Len)); err != nil {
					t.Fatal(err)
				}
			},
			"write": func(t *rapid.T) {
				// Rows in memory come after those on disk, so the memory must be empty.
				err := s.Flush()
				if err == nil {
					err = s.WriteSegment(func(add func(int, columnar.Rows) error) error {
						for p := range partitions {
							want[p] = append(want[p], rowtest.Line(rows, p))
							if err := add(p, rows.Slice(p, p+1)); err != nil {
								return err
							}
						}
						return nil
					})
				}
				if spilled = true; err != nil {
					t.Fatal(err)
				}
			},
		})
		if spilled && !s.Spilled() {
			t.Fatal("nothing is on disk")
		}
		if err := s.Seal(); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := contents(s, partitions)
			if err != nil {
				t.Fatal(err)
			}
			for p := range want {
				if !slices.Equal(got[p], want[p]) {
					t.Fatalf("partition %d: %d rows %q\nwant %d rows %q", p, len(got[p]), got[p], len(want[p]), want[p])
				}
			}
		}
		if err := errors.Join(s.Close(), s.Close()); err != nil {
			t.Fatal(err)
		}
		if used := w.cfg.Budget.Used(); used != 0 {
			t.Fatalf("%d bytes reserved", used)
		}
	})
}

// fill adds rows until some are on disk.
func fill(s *Spool, rows columnar.Rows) error {
	for range 60 {
		if err := s.AddTo(1, rows); err != nil {
			return err
		}
	}
	return nil
}

func TestBlocksAreOfLimitedSize(t *testing.T) {
	w := newWorld(0, 2, nil)
	s := New(w.cfg)
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 1000, 0)
	if err := fill(s, rows); err != nil {
		t.Fatal(err)
	}
	if s.Spilled() {
		t.Error("wrote to disk without need")
	}
	if err := s.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	blocks, all := 0, 0
	err := s.Each(context.Background(), 1, func(rows columnar.Rows) error {
		if bytes := rows.ValueBytes(); bytes > blockBytes*11/10 {
			t.Errorf("a block of %d bytes", bytes)
		}
		blocks++
		all += rows.Len
		return nil
	})
	if err != nil || all != 60_000 || blocks < 4 || blocks > 60 {
		t.Errorf("%d rows in %d blocks, error %v", all, blocks, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.checkEmpty(t)
}

func TestEveryFaultIsAnError(t *testing.T) {
	rows := rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 100, 1)
	run := func(w world) error {
		s := New(w.cfg)
		err := fill(s, rows)
		if err == nil {
			err = s.Seal()
		}
		if err == nil {
			_, err = contents(s, 2)
		}
		return errors.Join(err, s.Close())
	}
	quiet := newWorld(1, 2, nil)
	if err := run(quiet); err != nil {
		t.Fatal(err)
	}
	for n := range quiet.fs.Ops() {
		w := newWorld(1, 2, vfstest.FailNth(n))
		if err := run(w); !errors.Is(err, vfstest.ErrInjected) {
			t.Fatalf("fault at operation %d: error %v", n, err)
		}
		if err := w.cfg.Scratch.Close(); err != nil {
			t.Logf("fault at operation %d: %v", n, err)
		}
		if used, open := w.cfg.Budget.Used(), w.fs.OpenFiles(); used != 0 || len(open) > 0 {
			t.Fatalf("fault at operation %d: %d bytes reserved, open files %q", n, used, open)
		}
	}
}

func TestCloseWithoutSeal(t *testing.T) {
	w := newWorld(1, 2, nil)
	s := New(w.cfg)
	if err := fill(s, rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 100, 1)); err != nil {
		t.Fatal(err)
	}
	if !s.Spilled() {
		t.Error("nothing is on disk")
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.checkEmpty(t)
}

func TestErrorsOfTheReaderEndReading(t *testing.T) {
	w := newWorld(1, 2, nil)
	s := New(w.cfg)
	if err := fill(s, rowtest.Random(rand.New(rand.NewPCG(1, 1)), everyType, 100, 1)); err != nil {
		t.Fatal(err)
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	calls := 0
	err := s.Each(context.Background(), 1, func(columnar.Rows) error { calls++; return stop })
	if !errors.Is(err, stop) || calls != 1 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	ctx, cancel := context.WithCancel(context.Background())
	err = s.Each(ctx, 1, func(columnar.Rows) error { cancel(); calls++; return nil })
	if !errors.Is(err, context.Canceled) || calls != 2 {
		t.Errorf("error %v after %d calls", err, calls)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.checkEmpty(t)
}

// TestLongRowsTakeNoMoreThanTheBudget: a spool has neither the memory of the long rows before nor a copy of those that do
// not fit.
func TestLongRowsTakeNoMoreThanTheBudget(t *testing.T) {
	const limit, long, partitions = 4 << 20, 3 << 20, 16
	w := newWorld(limit, partitions, nil)
	w.cfg.Schema = columnar.Schema{{Name: "t", Type: columnar.Text}}
	s := New(w.cfg)
	for i := range 2 * partitions {
		rows := columnar.NewRows(w.cfg.Schema)
		for range i%2 + 1 {
			rows.Cols[0].AppendBytes(bytes.Repeat([]byte{'a' + byte(i)}, long))
			rows.Len++
		}
		hashes := []uint64{uint64(i), uint64(i) << 1}
		if err := s.Add(rows, hashes, 7); err != nil {
			t.Fatal(err)
		}
		if s.held > limit {
			t.Fatalf("after %d batches %d bytes are held", i+1, s.held)
		}
	}
	if err := s.Seal(); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * partitions {
		p, rows := Partition(uint64(i), 7, partitions), 0
		err := s.Each(t.Context(), p, func(batch columnar.Rows) error {
			for j := range batch.Len {
				if b := batch.Cols[0].Bytes(j); len(b) == long && b[0] == 'a'+byte(i) && b[long-1] == b[0] {
					rows++
				}
			}
			return nil
		})
		if err != nil || rows == 0 {
			t.Fatalf("row %d did not come back: error %v", i, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.checkEmpty(t)
}
