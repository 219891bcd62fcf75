package bind

import (
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

// DocGroup is related functions and what holds for all of them.
type DocGroup struct {
	Title, About string
	Docs         []registry.Doc
}

// Documentation documents every function that a statement can call, in groups.
func Documentation() []DocGroup {
	all := documentation()
	var groups []DocGroup
	for _, g := range registry.Groups() {
		group := about(g)
		group.Docs = columnar.Only(all, func(d registry.Doc) bool { return d.Group == g })
		groups = append(groups, group)
	}
	return groups
}

// documentation returns the documentation of all functions by group and name.
func documentation() []registry.Doc {
	all := slices.Concat(docsOf(scalar.Functions), docsOf(aggregateFunctions), docsOf(windowFunctions))
	slices.SortFunc(all, registry.Doc.Compare)
	return all
}

func docsOf[B any](of *registry.Of[scalar.Called[B]]) []registry.Doc {
	return columnar.Each(of.All(), func(f *scalar.Called[B]) registry.Doc { return f.Doc })
}

func about(g registry.Group) DocGroup {
	const ofRow = "The value is NULL where an argument is NULL, unless the line says otherwise."
	return map[registry.Group]DocGroup{
		registry.Texts:   {Title: "Texts", About: ofRow},
		registry.Numbers: {Title: "Numbers", About: ofRow + " Most of them give DOUBLE; whole numbers and decimals stay exact where they can."},
		registry.Times:   {Title: "Dates and times", About: ofRow},
		registry.Lists:   {Title: "Lists", About: "Positions count from 1. " + ofRow},
		registry.JSON: {Title: "JSON", About: "JSON is text here: CAST(text AS JSON) checks it, and what is no JSON fails. " +
			"Numbers and names stay as they are written. " + ofRow},
		registry.AnyValue: {Title: "Any value"},
		registry.Aggregates: {Title: "Aggregates", About: "They pass over NULL; over nothing but NULL a count is 0, and others are NULL. DISTINCT, ORDER BY and " +
			"FILTER (WHERE …) go with them, and each can be computed in a window, by OVER. The examples are over " +
			"n = 1, NULL, 2, 4 and s = 'b', NULL, 'a', 'b'."},
		registry.Windows: {Title: "Window functions", About: "They are computed for each row among the rows of its partition, and need OVER (PARTITION BY … ORDER BY …). " +
			"The examples are over the same rows, in the order of n."},
	}[g]
}

// Documented returns the documentation of the functions of a name: of none if there is no such
// function, and of several if a window function and another share the name. nearest is then the
// most similar name, or "".
func Documented(name string) (docs []registry.Doc, nearest string) {
	name = strings.ToLower(name)
	docs = columnar.Only(documentation(), func(d registry.Doc) bool { return slices.Contains(d.Names, name) })
	if len(docs) == 0 {
		nearest = sql.Nearest(name, FunctionNames())
	}
	return docs, nearest
}
