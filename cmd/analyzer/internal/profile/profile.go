// Package profile lets whoever starts a process profile it.
//
// bench starts the processes of a run, and those start others; an environment variable
// reaches all of them.
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

// Start begins the profiles that wanted, a value of bench.ProfileVariable, names; "": none.
// line is the command line of this process. The caller calls stop when there is nothing left
// to profile; stop writes the files.
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
	runtime.GC() // the profile shows what the last collection found in use
	return pprof.Lookup("allocs").WriteTo(w, 0)
}

// processName distinguishes the process from others of its run, for file names.
func processName(line []string) string {
	name := strings.Trim(strings.Join(line[1:min(len(line), 2)], ""), "_")
	for _, flag := range []string{"--replica", "--listen"} {
		if i := slices.Index(line, flag); i > 0 && i+1 < len(line) {
			name += "-" + line[i+1][strings.LastIndex(line[i+1], ":")+1:]
		}
	}
	return name
}
