package worker

import (
	"fmt"
	"math/rand/v2"
	"syscall"
	"testing"

	"analyzer/columnar/vfs"
)

// If syncing a directory fails once, at any moment of a job and for any reason, the worker
// does not know what is on its disk. So it answers nothing, retries nothing, and ends. The
// next process continues with what it finds, even if power failed as well.
func TestADirectoryThatCannotBeSynced(t *testing.T) {
	for _, why := range []error{syscall.EIO, syscall.ENOSPC} {
		for n := 0; ; n++ {
			failed := false
			t.Run(fmt.Sprintf("%v at %d", why, n), func(t *testing.T) {
				w := newWorld(t, 2)
				m := w.machines[1]
				life, seen := m.client, 0
				m.op = func(op vfs.Op) error {
					switch {
					case failed && m.client != life:
						m.op = nil
						m.disk.Crash(rand.New(rand.NewPCG(uint64(n), 1)))
					case failed && (op.Kind == vfs.OpSync || op.Kind == vfs.OpSyncDir || op.Kind == vfs.OpRename):
						t.Errorf("then it went on to %s %s", op.Kind, op.Name)
					case op.Kind == vfs.OpSyncDir:
						seen++
						if failed = seen > n; failed {
							return why
						}
					}
					return nil
				}
				j := newJob(w).open().upload()
				j.exact()
				j.finish()
				w.nothing()
				if failed && m.client == life {
					t.Error("the worker lives on")
				}
			})
			if !failed {
				if n < 5 {
					t.Errorf("only %d directories were synced", n)
				}
				break
			}
		}
	}
}
