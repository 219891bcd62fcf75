package bind

import (
	"slices"
	"strings"

	"analyzer/operators/sql"
)

// Doc documents a function that statements can call.
type Doc struct {
	Names []string // the usual one first
	Usage string
	Help  string // its result in one line
	// Example is a call and Value its result. Functions of a row are called by themselves,
	// aggregates and window functions over the rows of DocRows; Value has the values of all
	// rows, with commas between them. It is "" where it depends on the time.
	Example, Value string
}

// DocGroup is related functions and what holds for all of them.
type DocGroup struct {
	Title, About string
	Docs         []Doc
}

// DocRows is a relation for FROM, over which the examples of aggregates and window functions
// are computed.
const DocRows = "(VALUES (1, 'b'), (NULL, NULL), (2, 'a'), (4, 'b')) AS t(n, s)"

// Documentation documents every function that a statement can call, in groups.
func Documentation() []DocGroup {
	const ofRow = "The value is NULL where an argument is NULL, unless the line says otherwise."
	return []DocGroup{
		{"Texts", ofRow, docsOf(textFunctions())},
		{"Numbers", ofRow + " Most of them give DOUBLE; whole numbers and decimals stay exact where they can.", docsOf(numberFunctions())},
		{"Dates and times", ofRow, docsOf(dateFunctions())},
		{"Lists", "Positions count from 1. " + ofRow, docsOf(listFunctions())},
		{"Any value", "", docsOf(otherFunctions())},
		{"Aggregates", "They pass over NULL; over nothing but NULL a count is 0, and others are NULL. DISTINCT, ORDER BY and " +
			"FILTER (WHERE …) go with them, and each can be computed in a window, by OVER. The examples are over " +
			"n = 1, NULL, 2, 4 and s = 'b', NULL, 'a', 'b'.", docsOf(aggregateFunctions())},
		{"Window functions", "They are computed for each row among the rows of its partition, and need OVER (PARTITION BY … ORDER BY …). " +
			"The examples are over the same rows, in the order of n.", docsOf(windowFunctions())},
	}
}

func docsOf[B any](all []called[B]) []Doc {
	return each(all, func(f called[B]) Doc { return Doc{f.names, f.usage, f.help, f.example, f.value} })
}

// Documented returns the documentation of the functions of a name: of none if there is no such
// function, and of several if a window function and another share the name. nearest is then the
// most similar name, or "".
func Documented(name string) (docs []Doc, nearest string) {
	name = strings.ToLower(name)
	for _, g := range Documentation() {
		for _, d := range g.Docs {
			if slices.Contains(d.Names, name) {
				docs = append(docs, d)
			}
		}
	}
	if len(docs) == 0 {
		nearest = sql.Nearest(name, FunctionNames())
	}
	return docs, nearest
}
