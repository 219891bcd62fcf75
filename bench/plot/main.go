// Command plot draws what "analyzer bench --output" measured, one SVG image for
// each workload. It is a program of its own because what draws adds four
// MiB to the resident memory of every program it is part of.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"analyzer/bench"
	"analyzer/columnar/vfs"
)

func main() {
	if err := run(os.Args[1:], vfs.OS()); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

// run reads the report that is the first argument and writes the images into
// the directory that is the second, or beside the report.
func run(arguments []string, files vfs.FS) error {
	if len(arguments) < 1 || len(arguments) > 2 {
		return errors.New("usage: plot BENCH.JSON [DIR]")
	}
	report, err := read(files, arguments[0])
	if err != nil {
		return err
	}
	dir := filepath.Dir(arguments[0])
	if len(arguments) == 2 {
		dir = arguments[1]
	}
	if err := files.MkdirAll(dir); err != nil {
		return err
	}
	for i := range report.Workloads {
		w := &report.Workloads[i]
		if err := write(files, filepath.Join(dir, filepath.Base(w.Name)+".svg"), w); err != nil {
			return err
		}
	}
	return nil
}

// read reads a report, and refuses one that lacks what is drawn.
func read(files vfs.FS, name string) (_ *bench.Report, err error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	text, err := io.ReadAll(f)
	if err != nil {
		return nil, err
	}
	var r bench.Report
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(r.Workloads) == 0 {
		return nil, fmt.Errorf("read %s: there are no measurements in it", name)
	}
	for _, w := range r.Workloads {
		if w.Name == "" || len(w.Points) == 0 {
			return nil, fmt.Errorf("read %s: workload %q has no measurements", name, w.Name)
		}
		for _, p := range w.Points {
			if len(p.Samples) == 0 {
				return nil, fmt.Errorf("read %s: workload %s has no runs with %s", name, w.Name, p)
			}
		}
	}
	return &r, nil
}

func write(files vfs.FS, name string, w *bench.Result) (err error) {
	f, err := files.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return drawSVG(f, w)
}
