package engine_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/datasets/catalog"
)

// spoiler is a pool that overwrites memory when it is released.
type spoiler struct{ *columnar.Pool }

func (s spoiler) Free(b []byte) {
	b = b[:cap(b)]
	for i := range b {
		b[i] = 0xDB
	}
	s.Pool.Free(b)
}

func (s spoiler) Reallocate(n int, b []byte) []byte {
	if n <= cap(b) {
		return b[:n]
	}
	larger := s.Allocate(n)
	copy(larger, b)
	s.Free(b)
	return larger
}

// Nobody looks at the memory of a batch after it was released.
func TestReleasedMemoryIsNotRead(t *testing.T) {
	for _, d := range catalog.All() {
		for _, memory := range []int64{0, 1} {
			t.Run(fmt.Sprintf("%s memory=%d", d.Name, memory), func(t *testing.T) {
				var texts [2]bytes.Buffer
				for i, alloc := range []columnar.Allocator{nil, spoiler{columnar.NewPool()}} {
					set, err := answers.NewStream(&texts[i], answers.Options{Format: answers.JSON})
					if err != nil {
						t.Fatal(err)
					}
					samples := vfs.ReadOnly(d.Samples)
					_, err = engine.Run(context.Background(), engine.Options{
						Queries: d.Queries, Tables: d.TableMap(), FS: vfs.OS(), SpillDir: t.TempDir(),
						Open:     func(table string) (vfs.File, error) { return samples.Open(d.TableMap()[table].Files[0]) },
						Replicas: 3, BlockSize: 16 << 10, Memory: memory, MaxRejects: -1, Alloc: alloc,
					}, set)
					if err == nil {
						err = set.Finish()
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				if texts[0].String() != texts[1].String() {
					t.Errorf("with released memory overwritten the answers are\n%s\nwant\n%s", texts[1].String(), texts[0].String())
				}
			})
		}
	}
}
