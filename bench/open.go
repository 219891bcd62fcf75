package bench

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar/vfs"
)

// Open reads a report, or the one in a directory, and its measures, without times; or ratios alone, in
// which case r is nil.
func Open(files vfs.FS, name string) (r *Report, measures []Measure, err error) {
	if names, err := files.List(name); err == nil && slices.Contains(names, ReportFile) {
		name = filepath.Join(name, ReportFile)
	}
	f, err := files.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if strings.HasSuffix(name, ".csv") {
		measures, err = readRatios(f)
	} else if r, err = ReadReport(f); err == nil {
		measures = r.Measures(false)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, measures, nil
}

// OpenBoth reads the measures for comparing two reports. They include times only if both reports have
// them and come from the same machine.
func OpenBoth(files vfs.FS, oldName, newName string) (old, now []Measure, times bool, err error) {
	first, old, err := Open(files, oldName)
	if err != nil {
		return nil, nil, false, err
	}
	second, now, err := Open(files, newName)
	if err != nil {
		return nil, nil, false, err
	}
	if times = first != nil && second != nil && first.Comparable(second); times {
		old, now = first.Measures(true), second.Measures(true)
	}
	return old, now, times, nil
}
