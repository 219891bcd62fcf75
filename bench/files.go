package bench

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/physical"
	"analyzer/operators/query/plan"
)

// ErrNoFile says that a file which a workload reads was not found.
var ErrNoFile = errors.New("file not found")

// find returns the paths of the files of the tables that a workload reads, by
// table. They are in the directory of the workload's data set below dir, or in
// dir itself.
func (w *Workload) find(files vfs.FS, dir string) (map[string]string, error) {
	needed, err := w.reads()
	if err != nil {
		return nil, err
	}
	below := filepath.Join(dir, w.Dataset.Name)
	names, err := files.List(below)
	if err == nil {
		dir = below
	} else if names, err = files.List(dir); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%w: %w", ErrNoFile, err)
		}
		return nil, fmt.Errorf("workload %s: look for its files: %w", w.Name, err)
	}
	paths := make(map[string]string)
	for _, t := range needed {
		name, ok := stored.Among(names, t.Files)
		if !ok {
			return nil, fmt.Errorf("workload %s: table %s: %w: no %s in %s, plain or compressed",
				w.Name, t.Name, ErrNoFile, strings.Join(t.Files, " or "), dir)
		}
		paths[t.Name] = filepath.Join(dir, name)
	}
	return paths, nil
}

// reads returns the tables that the queries read.
func (w *Workload) reads() ([]*columnar.Table, error) {
	physical, err := w.plan()
	if err != nil {
		return nil, err
	}
	read := physical.Tables()
	return slices.DeleteFunc(slices.Clone(w.Tables), func(t *columnar.Table) bool { return !slices.Contains(read, t.Name) }), nil
}

// plan returns the plan of a run of the workload in one process.
func (w *Workload) plan() (*physical.Plan, error) {
	p, err := physical.New(nil, w.Queries, plan.TablesOf(w.Tables))
	if err != nil {
		return nil, fmt.Errorf("workload %s: %w", w.Name, err)
	}
	return p, nil
}

// request returns the request that opens a job for the workload in a cluster.
func (w *Workload) request() protocol.OpenRequest {
	return protocol.OpenRequest{Label: w.Name, Tables: w.Tables, Queries: w.Queries, Block: client.DefaultBlock, TTL: time.Hour}
}
