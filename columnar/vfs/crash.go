package vfs

import (
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
)

// SyncDir makes the changes of dir's entries durable, and also all earlier changes to the
// same names.
func (m *Mem) SyncDir(dir string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := filepath.Clean(dir)
	if err := m.directoryLocked("sync", dir, path); err != nil {
		return err
	}
	m.pending = settle(m.durable, m.pending, func(step change) bool {
		for name := range step {
			if filepath.Dir(name) == path {
				return true
			}
		}
		return false
	})
	return nil
}

// settle applies the chosen steps to entries. It also applies each earlier step that shares a
// name with one of these, since the changes of an entry become durable in order. It returns
// the steps that were not applied.
func settle(entries map[string]*node, steps []change, chosen func(change) bool) []change {
	settled := map[string]bool{}
	apply := make([]bool, len(steps))
	for i, step := range slices.Backward(steps) {
		apply[i] = chosen(step)
		for name := range step {
			apply[i] = apply[i] || settled[name]
		}
		if apply[i] {
			for name := range step {
				settled[name] = true
			}
		}
	}
	var rest []change
	for i, step := range steps {
		if apply[i] {
			step.apply(entries)
		} else {
			rest = append(rest, step)
		}
	}
	return rest
}

// Crash simulates a power failure with random effects from rng. Of the changes to entries
// that are not durable, any subset survives (a rename as a whole). Of the unsynced bytes of a
// file, any prefix survives, with holes of zeros or garbage. Open files become unusable and
// count as closed.
func (m *Mem) Crash(rng *rand.Rand) {
	m.mu.Lock()
	defer m.mu.Unlock()
	likely := rng.IntN(3) // nothing survives, half does, everything does
	settle(m.durable, m.pending, func(change) bool { return rng.IntN(2) < likely })
	m.pending = nil
	m.dropOrphansLocked()
	for _, path := range slices.Sorted(maps.Keys(m.durable)) {
		if file := m.durable[path]; !file.dir {
			file.tear(rng)
		}
	}
	m.entries = maps.Clone(m.durable)
	for handle := range m.handles {
		handle.node = nil
	}
	clear(m.handles)
}

// dropOrphansLocked removes durable entries whose directory is not durable.
func (m *Mem) dropOrphansLocked() {
	for _, path := range slices.Sorted(maps.Keys(m.durable)) {
		parent := filepath.Dir(path)
		if found := m.durable[parent]; !isRoot(parent) && (found == nil || !found.dir) {
			delete(m.durable, path)
		}
	}
}

// tear gives the node the content that is on disk after a crash.
func (n *node) tear(rng *rand.Rand) {
	content := slices.Clone(n.synced)
	kept := len(n.synced)
	if n.truncated && rng.IntN(2) == 0 {
		content, kept = nil, 0
	}
	if !n.truncated || kept == 0 {
		content = slices.Clone(n.data[:kept+rng.IntN(len(n.data)-kept+1)])
		spoil(rng, content[kept:])
	}
	*n = node{data: content, synced: content}
}

// spoil makes holes in unsynced bytes.
func spoil(rng *rand.Rand, unsynced []byte) {
	if len(unsynced) == 0 || rng.IntN(2) == 0 {
		return
	}
	from := rng.IntN(len(unsynced))
	hole := unsynced[from : from+rng.IntN(len(unsynced)-from+1)]
	garbage := rng.IntN(2) == 0
	for i := range hole {
		hole[i] = 0
		if garbage {
			hole[i] = byte(rng.Uint32())
		}
	}
}

// Clone returns a copy of the file system, including changes that are not durable, without
// open files.
func (m *Mem) Clone() *Mem {
	m.mu.Lock()
	defer m.mu.Unlock()
	copies := map[*node]*node{nil: nil}
	copied := func(entries map[string]*node) map[string]*node {
		result := make(map[string]*node, len(entries))
		for path, original := range entries {
			if _, done := copies[original]; !done {
				twin := *original
				twin.data = slices.Clip(original.data)
				copies[original] = &twin
			}
			result[path] = copies[original]
		}
		return result
	}
	clone := NewMem()
	clone.entries = copied(m.entries)
	clone.durable = copied(m.durable)
	for _, step := range m.pending {
		clone.pending = append(clone.pending, copied(step))
	}
	clone.temps = m.temps
	return clone
}
