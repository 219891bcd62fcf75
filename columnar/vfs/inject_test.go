package vfs

import (
	"errors"
	"strings"
	"syscall"
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
	counter := Inject(withOld(t), nil)
	for kind, err := range everyOperation(counter) {
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
	}
	if ops := counter.Ops(); ops != int64(kindCount)+1 || counter.Ops(OpClose) != 2 || counter.Ops(OpSync, OpSyncDir) != 2 {
		t.Fatalf("%d operations, %d closes, %d syncs", ops, counter.Ops(OpClose), counter.Ops(OpSync, OpSyncDir))
	}
	for kind := range kindCount {
		t.Run(kind.String(), func(t *testing.T) {
			m := withOld(t)
			fs := Inject(m, FailNth(0, kind))
			err := everyOperation(fs)[kind]
			if !errors.Is(err, ErrInjected) || !strings.Contains(err.Error(), kind.String()) {
				t.Errorf("error %v", err)
			}
			if len(fs.OpenFiles())+len(m.OpenFiles()) > 0 {
				t.Errorf("left open: %q %q", fs.OpenFiles(), m.OpenFiles())
			}
		})
	}
}

func TestFailNthAndFrom(t *testing.T) {
	for name, c := range map[string]struct {
		decide func(Op) error
		want   string // of 5 creations and, between them, list calls
	}{
		"nth of all":         {FailNth(2), "..x......"},
		"nth of a kind":      {FailNth(2, OpCreate), "....x...."},
		"from of all":        {FailFrom(6), "......xxx"},
		"from of a kind":     {FailFrom(3, OpList), ".......x."},
		"of two kinds":       {FailNth(3, OpList, OpCreate), "...x....."},
		"of an absent kind":  {FailNth(0, OpRename), "........."},
		"more than there is": {FailNth(9), "........."},
	} {
		t.Run(name, func(t *testing.T) {
			fs := Inject(NewMem(), c.decide)
			var got strings.Builder
			for i := range 9 {
				var err error
				if i%2 == 0 {
					_, err = fs.Create("/a")
				} else {
					_, err = fs.List("/")
				}
				if err != nil {
					got.WriteByte('x')
				} else {
					got.WriteByte('.')
				}
			}
			if got.String() != c.want {
				t.Errorf("got %s, want %s", got.String(), c.want)
			}
		})
	}
}

func TestAFullDiskTakesPartOfAWrite(t *testing.T) {
	m := NewMem()
	fs := Inject(m, FillDisk(5))
	file, err := fs.Create("/a")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		text string
		n    int
		full bool
	}{{"abc", 3, false}, {"defg", 2, true}, {"h", 0, true}} {
		n, err := file.Write([]byte(c.text))
		if n != c.n || errors.Is(err, syscall.ENOSPC) != c.full {
			t.Errorf("wrote %d of %q, %v", n, c.text, err)
		}
	}
	if got := contents(t, m); got != "/a=abcde" {
		t.Errorf("on disk %q", got)
	}
}
