// Package known lists the formats of files that hold tables.
package known

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/arrow"
	"analyzer/columnar/input"
	"analyzer/columnar/json"
	"analyzer/columnar/parquet"
	"analyzer/columnar/stored"
	"analyzer/columnar/vfs"
)

// all returns all formats. The last is that of files that have none of the others.
func all() []*input.Format {
	return []*input.Format{parquet.Format(), arrow.Format(), json.Format(), workbookFormat(), csvFormat()}
}

// named returns the format of a name, nil if there is none.
func named(name string) *input.Format {
	return find(func(f *input.Format) bool { return f.Name == name })
}

// Called returns the format that a function in FROM reads, nil if there is no such function.
func Called(function string) *input.Format {
	return find(func(f *input.Format) bool { return slices.Contains(f.Calls, strings.ToLower(function)) })
}

func find(is func(*input.Format) bool) *input.Format {
	formats := all()
	if i := slices.IndexFunc(formats, is); i >= 0 {
		return formats[i]
	}
	return nil
}

// Of returns the format of a file, by its first bytes. A file that is said to have a format of text
// has that one, unless it is no text. rest is to be used instead of f, if f cannot be read twice.
func Of(f vfs.File, said string) (format *input.Format, rest vfs.File, err error) {
	head, rest, err := stored.HeadOf(f)
	if err != nil {
		return nil, rest, err
	}
	given := named(said)
	if given != nil && !given.Text {
		given = nil
	}
	return find(func(f *input.Format) bool {
		if given != nil && f.Text {
			return f.Name == given.Name
		}
		return f.Is == nil || f.Is(head)
	}), rest, nil
}

// Ranges says where the file of a table can be cut into ranges of blocks.
func Ranges(ctx context.Context, f vfs.File, t *columnar.Table, blockSize int) (at input.Ranges, err error) {
	format, rest, err := Of(f, t.Format)
	if err != nil || rest != f || format.Ranges == nil {
		return at, err
	}
	return format.Ranges(ctx, f, t, blockSize)
}

// Cuttable reports whether a file that begins like this can be cut between two lines: it is plain
// CSV. head is its first stored.MagicBytes, or fewer if the file is shorter.
func Cuttable(head []byte) bool {
	return stored.Plain(head) && !slices.ContainsFunc(all(), func(f *input.Format) bool {
		return f.Is != nil && f.Is(stored.Head{Stored: head, Text: head})
	})
}

// HasTable reports whether the name of a file says that it holds a table.
func HasTable(name string) bool {
	plain, _ := stored.CutExtension(strings.ToLower(name))
	return find(func(f *input.Format) bool { return slices.Contains(f.Extensions, filepath.Ext(plain)) }) != nil
}
