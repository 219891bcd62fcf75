// Package profile profiles a process, for whoever started it.
//
// bench starts the processes of a run, and those start others; a variable of the
// environment reaches all of them.
package profile

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"slices"
	"strings"

	"analyzer/bench"
	"analyzer/columnar/vfs"
)

// Start begins the profiles that a value of bench.ProfileVariable names, "" none, of
// the process that a command line started. The caller calls the function returned
// when there is nothing left to profile; it writes the files.
func Start(files vfs.FS, wanted string, line []string) (stop func() error, err error) {
	if wanted == "" {
		return func() error { return nil }, nil
	}
	kinds, dir, ok := strings.Cut(wanted, ":")
	if !ok {
		return nil, fmt.Errorf("%s: %q is not KINDS:DIR", bench.ProfileVariable, wanted)
	}
	var ends []func() error
	stop = func() error {
		var errs []error
		for _, end := range ends {
			errs = append(errs, end())
		}
		ends = nil
		return errors.Join(errs...)
	}
	for kind := range strings.SplitSeq(kinds, ",") {
		end, err := start(files, filepath.Join(dir, processName(line)), kind)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("profile: %w", err), stop())
		}
		ends = append(ends, end)
	}
	return stop, nil
}

// start begins one profile.
func start(files vfs.FS, path, kind string) (end func() error, err error) {
	var begin func(io.Writer) error
	var finish func(io.Writer) error
	switch kind {
	case bench.ProfileCPU:
		begin, finish = pprof.StartCPUProfile, func(io.Writer) error { pprof.StopCPUProfile(); return nil }
	case bench.ProfileMemory:
		begin, finish = func(io.Writer) error { return nil }, writeHeap
	case bench.ProfileTrace:
		begin, finish = trace.Start, func(io.Writer) error { trace.Stop(); return nil }
	default:
		return nil, fmt.Errorf("there is no profile %q", kind)
	}
	f, err := files.Create(path + "." + kind)
	if err != nil {
		return nil, err
	}
	if err := begin(f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return func() error { return errors.Join(finish(f), f.Close()) }, nil
}

// writeHeap writes what was allocated since the start, and what is still in use.
func writeHeap(w io.Writer) error {
	runtime.GC() // what is in use is that of the last collection
	return pprof.Lookup("allocs").WriteTo(w, 0)
}

// processName is how a process is told from the others of its run, in file names.
func processName(line []string) string {
	name := strings.Trim(strings.Join(line[1:min(len(line), 2)], ""), "_")
	for _, flag := range []string{"--replica", "--listen"} {
		if i := slices.Index(line, flag); i > 0 && i+1 < len(line) {
			name += "-" + line[i+1][strings.LastIndex(line[i+1], ":")+1:]
		}
	}
	return name
}
