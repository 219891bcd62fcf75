package session

import (
	"context"
	"errors"

	"analyzer/columnar"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

// Matching returns the files that have a name, or match it as a pattern.
func (s *Session) Matching(ctx context.Context, file string) ([]string, error) {
	found, err := inputs.Files(ctx, vfs.With(ctx, s.cfg.FS), file, maxParts)
	if err != nil && ctx.Err() == nil {
		err = fault.BadInput(inputs.PatternHint(err), err)
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
