package segment

import (
	"errors"
	"math/rand/v2"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
)

// A failed sync is never retried.
func TestAfterAFatalErrorTheStoreRefuses(t *testing.T) {
	for _, kind := range []vfs.Kind{vfs.OpSync, vfs.OpSyncDir, vfs.OpRename} {
		t.Run(kind.String(), func(t *testing.T) {
			fail := false
			injector := vfstest.Inject(vfs.NewMem(), func(op vfs.Op) error {
				if fail && op.Kind == kind {
					return vfstest.ErrInjected
				}
				return nil
			})
			s := openStore(t, injector)
			fail = true
			if err := addNumber(s, 1); !errors.Is(err, vfs.ErrUnsure) || !errors.Is(err, vfstest.ErrInjected) {
				t.Fatalf("commit: %v", err)
			}
			fail = false
			before := injector.Ops()
			if err := addNumber(s, 2); !errors.Is(err, vfs.ErrUnsure) {
				t.Errorf("commit after the fault: %v", err)
			}
			if err := s.Commit(Change{}); !errors.Is(err, vfs.ErrUnsure) {
				t.Errorf("commit after the fault: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if injector.Ops() != before {
				t.Errorf("%d operations after the fault", injector.Ops()-before)
			}
		})
	}
}

// The process can continue after a full disk: once there is space, the same change commits.
func TestCommitAgainAfterAFullDisk(t *testing.T) {
	full := false
	mem := vfs.NewMem()
	s := openStore(t, vfstest.Inject(mem, func(op vfs.Op) error {
		if full {
			return vfstest.FillDisk(10)(op)
		}
		return nil
	}))
	w, err := s.NewWriter(intSchema)
	if err != nil {
		t.Fatal(err)
	}
	segment, err := w.Finish()
	if err != nil {
		t.Fatal(err)
	}
	full = true
	change := Change{Add: []*Segment{segment}, Payload: []byte("1")}
	if err := s.Commit(change); !errors.Is(err, ErrDiskFull) || errors.Is(err, vfs.ErrUnsure) {
		t.Fatalf("commit on a full disk: %v", err)
	}
	if _, err := mem.Size(stateDir + "/" + manifestName + vfs.NewSuffix); err == nil {
		t.Error("the partial manifest is left")
	}
	full = false
	if err := s.Commit(change); err != nil {
		t.Fatal(err)
	}
	mem.Crash(rand.New(rand.NewPCG(1, 1)))
	if got := mustState(t, openStore(t, mem)); got.String() != "1 []" {
		t.Errorf("read %s", got)
	}
}
