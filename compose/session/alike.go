package session

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/sniff"
)

// alike refuses a file that cannot belong to the same table as the first one.
func (p *partFiles) alike(i int) error {
	f, first := p.found[i], p.first()
	wrong := &scan.InputError{File: p.files[i], Hint: "name files with equal columns"}
	names, others := namesOf(first), namesOf(f)
	switch {
	case f.Typed() == first.Typed() && !slices.Equal(others, names):
		wrong.Reason, wrong.Detail = scan.ReasonMissingColumns, difference(names, others, first.Name)
		if wrong.Hint = f.Format.Calls[0] + "(…, union_by_name = true) gives NULL for what a file lacks"; !f.Typed() {
			wrong.Line = 1
		}
	case f.Typed() != first.Typed(), f.Typed() && !sameColumns(f, first):
		wrong.Reason, wrong.Detail = scan.ReasonWrongType, "its columns have other types than those of "+first.Name
	default:
		return nil
	}
	wrong.Detail += ", which is part of the same table"
	return wrong
}

// areAlike reports whether files have the same names of columns, in the same order.
func areAlike(files []*sniff.File) bool {
	names := namesOf(files[0])
	return !slices.ContainsFunc(files, func(f *sniff.File) bool { return !slices.Equal(namesOf(f), names) })
}

// sameColumns reports whether two Parquet files have the same columns, as far as both have them.
func sameColumns(f, first *sniff.File) bool {
	return slices.EqualFunc(f.Columns, first.Columns, func(a, b sniff.Column) bool {
		return a.Name == b.Name && a.Format == b.Format && a.Stored == b.Stored
	})
}

// difference says how the columns of a file differ from those of the first one.
func difference(names, others []string, first string) string {
	lacks := columnar.Without(names, others)
	more := columnar.Without(others, names)
	var how []string
	if len(lacks) > 0 {
		how = append(how, fmt.Sprintf("it lacks %q", lacks[:min(len(lacks), shownNames)]))
	}
	if len(more) > 0 {
		how = append(how, fmt.Sprintf("it has %q besides", more[:min(len(more), shownNames)]))
	}
	if len(how) == 0 {
		how = []string{"they have another order"}
	}
	return fmt.Sprintf("the columns differ from those of %s: %s; the first file is %s", first, strings.Join(how, " and "), first)
}

// shownNames is how many names of columns an error shows.
const shownNames = 8

func namesOf(f *sniff.File) []string {
	return columnar.Each(f.Columns, func(c sniff.Column) string { return c.Name })
}
