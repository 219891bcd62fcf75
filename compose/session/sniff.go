package session

import (
	"context"
	"errors"
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

// Matching returns the files that have a name, or match it as a pattern.
func (s *Session) Matching(ctx context.Context, file string) ([]string, error) {
	fs := vfs.With(ctx, s.cfg.FS)
	if _, err := fs.Size(file); err == nil || file == inputs.Stdin || !inputs.IsPattern(file) {
		return []string{file}, nil
	}
	found, err := inputs.Matching(ctx, fs, file, maxParts)
	if err == nil && len(found) == 0 {
		err = fault.BadInput("Next: check the pattern and the directory.", fmt.Errorf("no file has a name like %q", file))
	}
	return found, err
}

// Sniff finds out how a file is written, from all of its cells.
func (s *Session) Sniff(ctx context.Context, file string) (f *sniff.File, err error) {
	src := &datasets.Source{Name: "sniff", Tables: []*columnar.Table{{Name: "file", Files: []string{file}}}}
	in, err := inputs.Find(src, map[string]int{"file": 3}, inputs.Options{Tables: map[string]string{"file": file}, FS: s.cfg.FS, Stdin: s.cfg.Stdin})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, in.Close()) }()
	open := func() (vfs.File, error) { return in.Open(ctx, "file") }
	if f, err = sniff.Look(ctx, open, sniff.Given{}); err != nil {
		return nil, err
	}
	part := func(int) (vfs.File, error) { return open() }
	if _, err := sniff.Complete(ctx, []*sniff.File{f}, part); err != nil {
		return nil, err
	}
	all := make([]int, len(f.Columns))
	for i := range all {
		all[i] = i
	}
	if err := sniff.Settle(ctx, []*sniff.File{f}, all, part); err != nil {
		return nil, err
	}
	return f, f.Misfits(ctx, all, open)
}
