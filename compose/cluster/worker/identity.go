package worker

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"analyzer/columnar/vfs"
)

// identity says which worker a state directory belongs to. Replicas with equal ports could
// take each other's ledgers for their own, and drop rows that they have never seen. So a
// worker refuses the state of another. It does not check the number of workers, which each
// job sets for itself.
type identity struct {
	Version int    `json:"version"` // of the state's layout
	ID      string `json:"id"`      // of the directory, also after it was moved
	Cluster string `json:"cluster"`
	Replica int    `json:"replica"`
}

// ErrState means that this worker cannot use a state directory.
var ErrState = errors.New("the state directory cannot be used")

const (
	identityName    = "WORKER"
	identityVersion = 1
)

func (i identity) String() string {
	name := fmt.Sprintf("worker %d", i.Replica)
	if i.Cluster != "" {
		name += " of cluster " + i.Cluster
	}
	return name
}

// identify checks that the state belongs to this worker. If the state has no identity yet,
// or no jobs, identify makes it this worker's.
func (w *Worker) identify() error {
	path := filepath.Join(w.State, identityName)
	w.self = identity{identityVersion, rand.Text(), w.Cluster, w.Replica}
	text, err := vfs.ReadFile(w.FS, path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read whose the state is: %w", err)
	}
	if err == nil {
		var was identity
		if err := json.Unmarshal(text, &was); err != nil {
			return fmt.Errorf("%w: %s says not whose it is: %w; move that file away to go on all the same", ErrState, path, err)
		}
		if was.Version != identityVersion {
			return fmt.Errorf("%w: that in %s has layout %d, this program reads %d: use the program that wrote it", ErrState, w.State, was.Version, identityVersion)
		}
		w.self.ID = was.ID
		if was == w.self {
			return nil
		}
		jobs, err := w.FS.List(w.jobs())
		if err != nil {
			return err
		}
		if len(jobs) > 0 {
			return fmt.Errorf("%w: %s, with %d jobs, is that of %s, and this is %s: give each worker the directory it had, or an empty one",
				ErrState, w.State, len(jobs), was, w.self)
		}
	}
	if text, err = json.Marshal(w.self); err != nil {
		return err
	}
	if err := vfs.Replace(w.FS, path, append(text, '\n')); err != nil {
		return fmt.Errorf("write whose the state is: %w", err)
	}
	return nil
}
