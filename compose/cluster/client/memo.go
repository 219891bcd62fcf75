package client

import (
	"context"
	"io/fs"
	"os"
	"sync"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/keyset"
)

// Memo is what uploads of units of one job leave to each other within a process: what each of them would
// find out anew. It may be used concurrently; the zero value is ready to use.
type Memo struct {
	mu    sync.Mutex
	sets  map[int]*keyset.Set // by join, of complete build sides; nil: too many keys
	files map[string]identified
}

// set returns the keys of a join, if they are known.
func (m *Memo) set(join int) (set *keyset.Set, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	set, known = m.sets[join]
	return set, known
}

// keep notes the keys of a join, and returns those that are known by then, which selectors may have used.
func (m *Memo) keep(join int, set *keyset.Set) *keyset.Set {
	m.mu.Lock()
	defer m.mu.Unlock()
	if before, known := m.sets[join]; known {
		return before
	}
	if m.sets == nil {
		m.sets = make(map[int]*keyset.Set)
	}
	m.sets[join] = set
	return set
}

// identify is Identify. It samples the pages of a local file once, as long as the same file has the same size and
// time.
func (m *Memo) identify(ctx context.Context, f vfs.File) (protocol.Fingerprint, error) {
	local, ok := f.(interface{ Stat() (fs.FileInfo, error) })
	if !ok {
		return Identify(ctx, f)
	}
	now, err := local.Stat()
	if err != nil {
		return protocol.Fingerprint{}, err
	}
	m.mu.Lock()
	known, found := m.files[f.Name()]
	m.mu.Unlock()
	if found && os.SameFile(known.was, now) && known.was.Size() == now.Size() && known.was.ModTime().Equal(now.ModTime()) {
		return known.Fingerprint, nil
	}
	is, err := Identify(ctx, f)
	if err != nil {
		return is, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.files == nil {
		m.files = make(map[string]identified)
	}
	m.files[f.Name()] = identified{is, now}
	return is, nil
}

// identified is a file before its pages were sampled, and what they made of it.
type identified struct {
	protocol.Fingerprint
	was fs.FileInfo
}
