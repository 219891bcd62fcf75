package session

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/sql"
)

// maxParts bounds the number of files of one table.
const maxParts = 10_000

// filesOf returns the files of a table of a statement; nil if no table of that name is given.
func (p *Prepared) filesOf(ctx context.Context, m sql.Source) (*tableFiles, error) {
	names := m.Files
	for name, f := range p.ses.cfg.Tables {
		if len(m.Files) == 0 && strings.EqualFold(name, m.Name) {
			names = []string{f}
		}
	}
	if len(names) == 0 {
		return nil, nil
	}
	if p.st.Verb == sql.Create && slices.Contains(names, inputs.Stdin) {
		return nil, p.wrong(sql.Unsupported(m.At, "Next: read it in a query: a view reads its files anew in each.", "views of the standard input"))
	}
	if p.ses.cfg.KeepNothing && slices.Contains(names, inputs.Stdin) {
		return nil, p.wrong(sql.Unsupported(m.At, "Next: name a file, or read them here, without --at.", "the standard input beside files that gateways read"))
	}
	set := &tableFiles{Source: m}
	if m.Call != nil {
		var err error
		if set.given, err = fileoptions.ReadOptions(m.Call); err != nil {
			return nil, p.wrong(err)
		}
	}
	for _, name := range names {
		found, err := p.matching(ctx, m, name)
		if err != nil {
			return nil, err
		}
		set.files = append(set.files, p.ses.withoutEmpty(p.fs, found)...)
	}
	if len(set.files) > maxParts {
		return nil, p.wrong(sql.Wrong(m.At, "Next: put files together, or name fewer of them.", "a table of more than %d files", maxParts))
	}
	return set, nil
}

// withoutEmpty leaves out those of the files here that hold no byte, and so neither a header nor a row, as logs that
// were just begun, unless all are empty.
func (s *Session) withoutEmpty(fs vfs.FS, files []string) []string {
	if len(files) < 2 || strings.Contains(files[0], "://") {
		return files
	}
	kept, first := make([]string, 0, len(files)), ""
	for _, file := range files {
		if size, err := fs.Size(file); err != nil || size > 0 {
			kept = append(kept, file)
		} else if first == "" {
			first = file
		}
	}
	empty := len(files) - len(kept)
	if empty == 0 || len(kept) == 0 {
		return files
	}
	s.notice(Notice{Text: fmt.Sprintf("%s: it is empty, and left out: %d of %d files are", filepath.Base(first), empty, len(files))})
	return kept
}

// matching returns the files that have a name, or match it as a pattern.
func (p *Prepared) matching(ctx context.Context, m sql.Source, file string) ([]string, error) {
	found, err := inputs.Files(ctx, vfs.With(ctx, p.fs), file, maxParts)
	if err != nil && ctx.Err() == nil {
		err = p.badFile(m.At, inputs.PatternHint(err), "%v", err)
	}
	return found, err
}
