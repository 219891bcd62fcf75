package optest

import (
	"testing"

	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/operators"
	"analyzer/operators/expr"
)

// World is a runtime that can check what operators have left behind. Its files
// are in memory.
type World struct {
	*operators.Runtime
	Files *vfstest.Injector

	disk *vfs.Mem
}

// NewWorld returns a runtime with a budget of limit bytes, 0 for none. decide
// is called before each file operation; nil lets all operations succeed. With a budget, operators
// run in several goroutines.
func NewWorld(limit int64, decide func(vfs.Op) error) *World {
	w := &World{disk: vfs.NewMem()}
	if err := w.disk.MkdirAll("/spill"); err != nil {
		panic(err) // memory does not fail
	}
	w.Files = vfstest.Inject(w.disk, decide)
	w.Runtime = &operators.Runtime{
		Budget: budget.New(limit), Env: expr.NewEnv(),
		Scratch: segment.NewScratch(w.Files, "/spill"),
	}
	if limit > 0 {
		w.Threads = 3
	}
	return w
}

// CheckReleased checks that no memory is held and no file is open.
func (w *World) CheckReleased(t testing.TB) {
	t.Helper()
	if used := w.Budget.Used(); used != 0 {
		t.Errorf("%d bytes are still reserved", used)
	}
	if open := w.Files.OpenFiles(); len(open) > 0 {
		t.Errorf("left open: %q", open)
	}
}

// CheckEmpty does what CheckReleased does, and also checks that no file is
// left.
func (w *World) CheckEmpty(t testing.TB) {
	t.Helper()
	w.CheckReleased(t)
	dirs, err := w.disk.List("/spill")
	if err != nil {
		t.Error(err)
	}
	for _, dir := range dirs {
		if names, err := w.disk.List("/spill/" + dir); err != nil || len(names) > 0 {
			t.Errorf("left in the scratch directory: %q, %v", names, err)
		}
	}
}
