package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"

	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/engine"
)

// Task is one run of a workload.
type Task struct {
	Workload string `json:"workload"`
	Dir      string `json:"dir"`                // holds the data set's files, or a directory of its name that does
	Replicas int    `json:"replicas,omitempty"` // tasks per stage; 0: cores
	Memory   int64  `json:"memory,omitempty"`   // bytes for the whole process; 0: half of the machine's
	SpillDir string `json:"spillDir,omitempty"` // "": the system's
}

// Run runs the task in this process. The answers come in the order of the
// workload's queries; progress may be nil.
func (t Task) Run(ctx context.Context, files vfs.FS, out engine.Answers, progress func(engine.Progress)) (*engine.Report, error) {
	selected, err := SelectWorkloads(t.Workload)
	if err != nil {
		return nil, err
	}
	w := &selected[0]
	paths, err := w.find(files, t.Dir)
	if err != nil {
		return nil, err
	}
	return engine.Run(ctx, engine.Options{
		Queries: w.Queries, Tables: w.tableMap(),
		Open:     func(table string) (vfs.File, error) { return files.Open(paths[table]) },
		Replicas: t.Replicas, Memory: t.Memory, FS: files, SpillDir: t.SpillDir,
		MaxRejects: -1, Progress: progress,
	}, out)
}

// outcome is what a process that runs a task says of it.
type outcome struct {
	Answers string `json:"answers"` // SHA-256 of the answers as JSON
	Rows    int64  `json:"rows"`    // read, over all scans
	Bytes   int64  `json:"bytes"`   // of input files
	Spilled int64  `json:"spilled"` // bytes
	Peak    int64  `json:"peak"`    // resident bytes; 0: the system does not say
}

// Serve runs the one task that it reads from in and writes what Run of a sweep
// asks its processes for to out. It is all that such a process does.
func Serve(ctx context.Context, files vfs.FS, in io.Reader, out io.Writer) error {
	var t Task
	if err := json.NewDecoder(in).Decode(&t); err != nil {
		return fmt.Errorf("read the task: %w", err)
	}
	sum, report, err := t.digest(ctx, files)
	if err != nil {
		return err
	}
	done := outcome{
		Answers: hex.EncodeToString(sum.Sum(nil)), Rows: report.Rows, Bytes: report.Bytes, Spilled: report.Spilled,
		Peak: peakResident(),
	}
	if err := json.NewEncoder(out).Encode(done); err != nil {
		return fmt.Errorf("write the outcome: %w", err)
	}
	return nil
}

// digest runs the task and hashes the answers.
func (t Task) digest(ctx context.Context, files vfs.FS) (sum hash.Hash, report *engine.Report, err error) {
	sum = sha256.New()
	set, err := answers.NewStream(sum, answers.Options{Format: answers.JSON})
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, set.Discard()) }()
	if report, err = t.Run(ctx, files, set, nil); err != nil {
		return nil, nil, err
	}
	return sum, report, set.Finish()
}
