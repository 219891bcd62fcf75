package spool

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"
	"github.com/apache/arrow/go/v17/arrow/memory"
	"pgregory.net/rapid"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

var everyType = columnar.Schema{
	{Name: "bool", Type: columnar.Bool},
	{Name: "int", Type: columnar.Int},
	{Name: "decimal", Type: columnar.Decimal},
	{Name: "float", Type: columnar.Float},
	{Name: "text", Type: columnar.Text},
	{Name: "wide", Type: columnar.Wide},
	{Name: "floatsum", Type: columnar.FloatSum},
	{Name: "texts", Type: columnar.TextList},
	{Name: "ints", Type: columnar.IntList},
}

// randomRows returns rows of every type, of which nulls of 8 values are null.
func randomRows(rng *rand.Rand, n, nulls int) columnar.Rows {
	rows := columnar.NewRows(everyType)
	for _, c := range rows.Cols {
		for range n {
			appendRandom(c, rng, nulls)
		}
	}
	rows.Len = n
	return rows
}

func appendRandom(c *columnar.Vector, rng *rand.Rand, nulls int) {
	if rng.IntN(8) < nulls {
		c.AppendNull()
		return
	}
	switch c.Type {
	case columnar.Bool:
		c.AppendBool(rng.IntN(2) == 0)
	case columnar.Int, columnar.Decimal:
		c.AppendInt(rng.Int64())
	case columnar.Float:
		c.AppendFloat(rng.NormFloat64())
	case columnar.Text, columnar.FloatSum:
		c.AppendBytes(bytes.Repeat([]byte{byte('a' + rng.IntN(26))}, rng.IntN(40)))
	case columnar.Wide:
		c.AppendWide(decimal128.New(rng.Int64(), rng.Uint64()))
	default:
		for range rng.IntN(4) {
			appendRandom(c.Child, rng, nulls)
		}
		c.EndList()
	}
}

func rowText(rows columnar.Rows, i int) string {
	text := ""
	for _, c := range rows.Cols {
		text += valueText(c, i) + "|"
	}
	return text
}

func valueText(v *columnar.Vector, i int) string {
	if v.IsNull(i) {
		return "null"
	}
	switch v.Type {
	case columnar.Bool:
		return fmt.Sprint(v.Bools[i])
	case columnar.Int, columnar.Decimal:
		return fmt.Sprint(v.Ints[i])
	case columnar.Float:
		return fmt.Sprint(v.Floats[i])
	case columnar.Wide:
		return fmt.Sprint(v.Wides[i])
	case columnar.Text, columnar.FloatSum:
		return fmt.Sprintf("%q", v.Bytes(i))
	}
	text := "["
	for j := v.Offsets[i]; j < v.Offsets[i+1]; j++ {
		text += valueText(v.Child, int(j)) + " "
	}
	return text + "]"
}

// slice returns rows lo to hi, borrowed.
func slice(rows columnar.Rows, lo, hi int) columnar.Rows {
	out := columnar.Rows{Len: hi - lo}
	for _, c := range rows.Cols {
		out.Cols = append(out.Cols, c.Slice(lo, hi))
	}
	return out
}

// world is what a spool works with in a test.
type world struct {
	fs    *vfs.Injector
	alloc *memory.CheckedAllocator
	cfg   Config
}

func newWorld(limit int64, partitions int, decide func(vfs.Op) error) world {
	mem := vfs.NewMem()
	if err := mem.MkdirAll("/tmp"); err != nil {
		panic(err)
	}
	w := world{fs: vfs.Inject(mem, decide), alloc: memory.NewCheckedAllocator(memory.NewGoAllocator())}
	w.cfg = Config{
		Schema: everyType, Partitions: partitions, Alloc: w.alloc, Budget: budget.New(limit), Holder: "test",
		Scratch: segment.NewScratch(w.fs, "/tmp", segment.Options{Allocator: w.alloc}),
	}
	return w
}

func (w world) checkEmpty(t testing.TB) {
	t.Helper()
	w.alloc.AssertSize(t, 0)
	if used, open := w.cfg.Budget.Used(), w.fs.OpenFiles(); used != 0 || len(open) > 0 {
		t.Errorf("%d bytes are reserved, open files %q", used, open)
	}
	if dir := w.cfg.Scratch.Dir(); dir != "" {
		if names, err := w.fs.List(dir); err != nil || len(names) > 0 {
			t.Errorf("left %q, error %v", names, err)
		}
	}
}

// contents reads a sealed spool, partition by partition.
func contents(s *Spool, partitions int) ([][]string, error) {
	got := make([][]string, partitions)
	for p := range got {
		err := s.Each(context.Background(), p, func(rows columnar.Rows) error {
			for i := range rows.Len {
				got[p] = append(got[p], rowText(rows, i))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if s.Rows(p) != int64(len(got[p])) {
			return nil, fmt.Errorf("partition %d: %d rows are said to be there, %d are", p, s.Rows(p), len(got[p]))
		}
	}
	return got, nil
}

func TestRowsComeBackByPartitionInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "rows"), 0))
		partitions := rapid.IntRange(1, 5).Draw(t, "partitions")
		w := newWorld(rapid.SampledFrom([]int64{0, 1}).Draw(t, "budget"), partitions, nil)
		s := New(w.cfg)
		want := make([][]string, partitions)
		rows := randomRows(rng, 200, rapid.IntRange(0, 2).Draw(t, "nulls"))
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
					want[p] = append(want[p], rowText(rows, i))
				}
				if err := s.Add(slice(rows, lo, hi), hashes[lo:hi], 7); err != nil {
					t.Fatal(err)
				}
			},
			"add to one": func(t *rapid.T) {
				p, lo := rapid.IntRange(0, partitions-1).Draw(t, "partition"), rapid.IntRange(0, rows.Len).Draw(t, "lo")
				for i := lo; i < rows.Len; i++ {
					want[p] = append(want[p], rowText(rows, i))
				}
				if err := s.AddTo(p, slice(rows, lo, rows.Len)); err != nil {
					t.Fatal(err)
				}
			},
			"write": func(t *rapid.T) {
				// Rows in memory come after those on disk, so the memory must be empty.
				err := s.Flush()
				if err == nil {
					err = s.WriteSegment(func(add func(int, columnar.Rows) error) error {
						for p := range partitions {
							want[p] = append(want[p], rowText(rows, p))
							if err := add(p, slice(rows, p, p+1)); err != nil {
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
		if used := w.cfg.Budget.Used(); used != 0 || w.alloc.CurrentAlloc() != 0 {
			t.Fatalf("%d bytes reserved, %d allocated", used, w.alloc.CurrentAlloc())
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
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 1000, 0)
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
	if err != nil || all != 60_000 || blocks < 4 || blocks > 40 {
		t.Errorf("%d rows in %d blocks, error %v", all, blocks, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	w.checkEmpty(t)
}

func TestEveryFaultIsAnError(t *testing.T) {
	rows := randomRows(rand.New(rand.NewPCG(1, 1)), 100, 1)
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
		w := newWorld(1, 2, vfs.FailNth(n))
		if err := run(w); !errors.Is(err, vfs.ErrInjected) {
			t.Fatalf("fault at operation %d: error %v", n, err)
		}
		if err := w.cfg.Scratch.Close(); err != nil {
			t.Logf("fault at operation %d: %v", n, err)
		}
		w.alloc.AssertSize(t, 0)
		if used, open := w.cfg.Budget.Used(), w.fs.OpenFiles(); used != 0 || len(open) > 0 {
			t.Fatalf("fault at operation %d: %d bytes reserved, open files %q", n, used, open)
		}
	}
}

func TestCloseWithoutSeal(t *testing.T) {
	w := newWorld(1, 2, nil)
	s := New(w.cfg)
	if err := fill(s, randomRows(rand.New(rand.NewPCG(1, 1)), 100, 1)); err != nil {
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
	if err := fill(s, randomRows(rand.New(rand.NewPCG(1, 1)), 100, 1)); err != nil {
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

// BenchmarkSpool adds rows of three numbers by partition, writes them and reads
// them back.
func BenchmarkSpool(b *testing.B) {
	schema := columnar.Schema{{Name: "a", Type: columnar.Int}, {Name: "b", Type: columnar.Int}, {Name: "c", Type: columnar.Int}}
	rng := rand.New(rand.NewPCG(1, 1))
	rows := columnar.NewRows(schema)
	rows.Len = 1 << 15
	hashes := make([]uint64, rows.Len)
	for i := range rows.Len {
		hashes[i] = rng.Uint64()
		for _, c := range rows.Cols {
			c.AppendInt(rng.Int64())
		}
	}
	const batches = 64
	scratch := segment.NewScratch(vfs.OS(), b.TempDir(), segment.Options{})
	defer scratch.Close()
	b.SetBytes(batches * rows.ValueBytes())
	b.ReportAllocs()
	for b.Loop() {
		s := New(Config{
			Schema: schema, Partitions: 64, Scratch: scratch, Alloc: memory.DefaultAllocator,
			Budget: budget.New(16 << 20), Holder: "benchmark",
		})
		for range batches {
			if err := s.Add(rows, hashes, 1); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Seal(); err != nil {
			b.Fatal(err)
		}
		for p := range 64 {
			if err := s.Each(context.Background(), p, func(columnar.Rows) error { return nil }); err != nil {
				b.Fatal(err)
			}
		}
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*batches*rows.Len), "ns/row")
}
