package segment

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/memory"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// workloads are what benchmarks write: a batch, and how often a segment holds it.
func workloads(alloc memory.Allocator) []workload {
	rng := rand.New(rand.NewPCG(1, 1))
	return []workload{
		{"ints 1 MiB", intSchema, intBatch(alloc, 1<<20), 64},
		{"ints 16 KiB", intSchema, intBatch(alloc, 16<<10), 1024},
		{"every type 1000 rows", everyType, randomBatch(alloc, rng, everyType, 1000), 256},
		{"counts by name", countSchema, countBatch(alloc, rng, 10_000), 128},
	}
}

type workload struct {
	name   string
	schema columnar.Schema
	batch  columnar.RecordBatch
	blocks int
}

func BenchmarkWrite(b *testing.B) {
	for _, load := range workloads(memory.DefaultAllocator) {
		b.Run(load.name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "s.arrow")
			b.SetBytes(load.write(b, path).Size)
			b.ReportAllocs()
			for b.Loop() {
				load.write(b, path)
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, load := range workloads(memory.DefaultAllocator) {
		b.Run(load.name, func(b *testing.B) {
			segment := load.write(b, filepath.Join(b.TempDir(), "s.arrow"))
			r := open(b, vfs.OS(), segment)
			defer r.Close()
			b.SetBytes(segment.Size / int64(load.blocks))
			b.ReportAllocs()
			for i := 0; b.Loop(); i++ {
				batch, err := r.ReadBlock(i%load.blocks, memory.DefaultAllocator)
				if err != nil {
					b.Fatal(err)
				}
				batch.Release()
			}
		})
	}
}

func (l workload) write(b *testing.B, path string) *Segment {
	w, err := NewWriter(vfs.OS(), path, l.schema)
	if err != nil {
		b.Fatal(err)
	}
	for i := range l.blocks {
		if err := w.Append(i, columnar.View(l.schema, l.batch)); err != nil {
			b.Fatal(err)
		}
	}
	segment, err := w.Finish()
	if err != nil {
		b.Fatal(err)
	}
	return segment
}

func BenchmarkCommit(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	batch := randomBatch(memory.DefaultAllocator, rng, everyType, 1000)
	s, err := OpenStore(vfs.OS(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		w, err := s.NewWriter(everyType)
		if err != nil {
			b.Fatal(err)
		}
		for partition := range 16 {
			if err := w.Append(partition, columnar.View(everyType, batch)); err != nil {
				b.Fatal(err)
			}
		}
		segment, err := w.Finish()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(segment.Size)
		if err := s.Commit(Change{Add: []*Segment{segment}, Remove: s.Segments(), Payload: make([]byte, 1<<10)}); err != nil {
			b.Fatal(err)
		}
	}
}
