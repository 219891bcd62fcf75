package spill

import (
	"context"
	"fmt"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

var everyType = rowtest.EveryType()

// world is the environment of a spool in a test.
type world struct {
	fs  *vfstest.Injector
	cfg Config
}

func newWorld(limit int64, partitions int, decide func(vfs.Op) error) world {
	mem := vfs.NewMem()
	if err := mem.MkdirAll("/tmp"); err != nil {
		panic(err)
	}
	w := world{fs: vfstest.Inject(mem, decide)}
	w.cfg = Config{
		Schema: everyType, Partitions: partitions, Budget: budget.New(limit), Holder: "test",
		Scratch: segment.NewScratch(w.fs, "/tmp"),
	}
	return w
}

func (w world) checkEmpty(t testing.TB) {
	t.Helper()
	if used, open := w.cfg.Budget.Used(), w.fs.OpenFiles(); used != 0 || len(open) > 0 {
		t.Errorf("%d bytes are reserved, open files %q", used, open)
	}
	dirs, err := w.fs.List("/tmp")
	if err != nil {
		t.Error(err)
	}
	for _, dir := range dirs {
		if names, err := w.fs.List("/tmp/" + dir); err != nil || len(names) > 0 {
			t.Errorf("left %q, error %v", names, err)
		}
	}
}

// contents reads a sealed spool, partition by partition.
func contents(s *Spool, partitions int) ([][]string, error) {
	got := make([][]string, partitions)
	for p := range got {
		err := s.Each(context.Background(), p, func(rows columnar.Rows) error {
			got[p] = append(got[p], rowtest.Lines(rows)...)
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
