package vfs

import (
	"errors"
	"strings"
	"testing"
)

// everyOperation does each kind of operation once and returns the errors.
func everyOperation(fs FS) map[Kind]error {
	errs := map[Kind]error{}
	file, err := fs.Create("/a")
	errs[OpCreate] = err
	if err == nil {
		_, errs[OpWrite] = file.Write([]byte("abc"))
		errs[OpSync] = file.Sync()
		_, errs[OpFileSize] = file.Size()
		_, errs[OpReadAt] = file.ReadAt(make([]byte, 1), 0)
		errs[OpClose] = file.Close()
	}
	file, err = fs.Open("/old")
	errs[OpOpen] = err
	if err == nil {
		_, errs[OpRead] = file.Read(make([]byte, 1))
		errs[OpClose] = errors.Join(errs[OpClose], file.Close())
	}
	_, errs[OpSize] = fs.Size("/old")
	_, _, errs[OpTarget] = fs.Target("/old")
	errs[OpRename] = fs.Rename("/old", "/b")
	errs[OpSyncDir] = fs.SyncDir("/")
	_, errs[OpList] = fs.List("/")
	errs[OpMkdirAll] = fs.MkdirAll("/d")
	_, errs[OpMkdirTemp] = fs.MkdirTemp("/", "t-*")
	errs[OpRemove] = fs.Remove("/b")
	errs[OpRemoveAll] = fs.RemoveAll("/d")
	return errs
}

func withOld(t *testing.T) *Mem {
	m := NewMem()
	do(t, m, "create /old; write /old x; sync /old")
	return m
}

func TestEveryOperationCanFail(t *testing.T) {
	counts := make(map[Kind]int)
	fs := Inject(withOld(t), func(op Op) error {
		counts[op.Kind]++
		return nil
	})
	for kind, err := range everyOperation(fs) {
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
	}
	for kind := range kindCount {
		if want := map[Kind]int{OpClose: 2}[kind]; counts[kind] != max(want, 1) {
			t.Errorf("%d operations %s", counts[kind], kind)
		}
		t.Run(kind.String(), func(t *testing.T) {
			m := withOld(t)
			fault := errors.New("a fault")
			fs := Inject(m, func(op Op) error {
				if op.Kind == kind {
					return fault
				}
				return nil
			})
			err := everyOperation(fs)[kind]
			if !errors.Is(err, fault) || !strings.Contains(err.Error(), kind.String()) {
				t.Errorf("error %v", err)
			}
			if open := m.OpenFiles(); len(open) > 0 {
				t.Errorf("left open: %q", open)
			}
		})
	}
}
