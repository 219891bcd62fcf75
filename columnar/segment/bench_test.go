package segment

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// workloads are what benchmarks write: a batch, and how often a segment holds it.
func workloads() []workload {
	rng := rand.New(rand.NewPCG(1, 1))
	return []workload{
		{"ints 1 MiB", intSchema, intBatch(1 << 20), 64},
		{"ints 16 KiB", intSchema, intBatch(16 << 10), 1024},
		{"every type 1000 rows", everyType, randomBatch(rng, everyType, 1000), 256},
		{"counts by name", countSchema, countBatch(rng, 10_000), 128},
	}
}

type workload struct {
	name   string
	schema columnar.Schema
	batch  columnar.Rows
	blocks int
}

func BenchmarkWrite(b *testing.B) {
	for _, load := range workloads() {
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
	for _, load := range workloads() {
		b.Run(load.name, func(b *testing.B) {
			segment := load.write(b, filepath.Join(b.TempDir(), "s.arrow"))
			r := open(b, vfs.OS(), segment)
			defer r.Close()
			b.SetBytes(segment.Size / int64(load.blocks))
			b.ReportAllocs()
			var memory []byte
			for i := 0; b.Loop(); i++ {
				var err error
				if _, memory, err = r.ReadBlock(i%load.blocks, memory); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func (l workload) write(b *testing.B, path string) *Segment {
	w, err := writerOf(vfs.OS(), path, l.schema)
	if err != nil {
		b.Fatal(err)
	}
	for i := range l.blocks {
		if err := w.Append(i, l.batch); err != nil {
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
	batch := randomBatch(rng, everyType, 1000)
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
			if err := w.Append(partition, batch); err != nil {
				b.Fatal(err)
			}
		}
		segment, err := w.Finish()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(segment.Size)
		if err := s.Commit(Change{Add: []*Segment{segment}, Remove: s.segments(), Payload: make([]byte, 1<<10)}); err != nil {
			b.Fatal(err)
		}
	}
}
