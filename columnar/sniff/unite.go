package sniff

import (
	"reflect"
	"slices"
	"strings"

	"analyzer/columnar"
)

// UniteByName gives all files the columns of all of them, by their names, ignoring case: those of the
// first file, then those that the second has besides, and so on. What a file lacks is null in its
// rows. The columns of Parquet files keep their types, so that the files may still not fit.
func UniteByName(files []*File) {
	var all []Column
	at := make(map[string]int)
	for _, f := range files {
		for _, c := range f.Columns {
			name := strings.ToLower(c.Name)
			if _, known := at[name]; !known {
				at[name] = len(all)
				all = append(all, c)
			}
		}
	}
	for _, f := range files {
		f.arrange(all, at)
	}
}

// IsNested reports whether the files have headers, and one of them has all the columns of each other: those that
// came later have more of them, or name them in another order.
func IsNested(files []*File) bool {
	most := make(map[string]bool)
	for _, c := range slices.MaxFunc(files, func(a, b *File) int { return len(a.Columns) - len(b.Columns) }).Columns {
		most[strings.ToLower(c.Name)] = true
	}
	return !slices.ContainsFunc(files, func(f *File) bool {
		return f.Headless || slices.ContainsFunc(f.Columns, func(c Column) bool { return !most[strings.ToLower(c.Name)] })
	})
}

// arrange gives a file columns in another order, of which it lacks some. at says where each is, by
// its name in lower case.
func (f *File) arrange(all []Column, at map[string]int) {
	had, seen, likely, typed, around, orders := f.Columns, f.seen, f.likely, f.typed, f.around, f.orders
	f.fields = f.width()
	f.Columns = slices.Clone(all)
	for i := range f.Columns {
		f.Columns[i].field = 0
	}
	if !f.Typed() {
		f.seen, f.likely = newKinds(len(all)), newKinds(len(all))
		f.typed, f.around, f.orders = make([]bool, len(all)), make([]columnar.Format, len(all)), make([]kinds, len(all))
	}
	for i, c := range had {
		to := at[strings.ToLower(c.Name)]
		name, declared := f.Columns[to].Name, f.Columns[to].Declared || c.Declared
		f.Columns[to] = c
		f.Columns[to].Name, f.Columns[to].Declared = name, declared
		if !f.Typed() {
			f.seen[to], f.likely[to], f.typed[to], f.around[to], f.orders[to] = seen[i], likely[i], typed[i], around[i], orders[i]
		}
	}
}

// width returns how many fields a record of the file has.
func (f *File) width() int {
	if f.fields > 0 {
		return f.fields
	}
	return len(f.Columns)
}

// OrSame returns other if a file is written like it and has the same columns, so that thousands of
// files take the memory of one.
func (f *File) OrSame(other *File) *File {
	if other != nil && f.Format == other.Format && f.width() == other.width() && reflect.DeepEqual(f.Dialect, other.Dialect) &&
		slices.EqualFunc(f.Columns, other.Columns, func(a, b Column) bool {
			return a.Name == b.Name && a.field == b.field && (!f.Typed() || a.Format == b.Format && a.Stored == b.Stored)
		}) {
		return other
	}
	return f
}
