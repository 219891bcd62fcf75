package bench

import (
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/plan"
)

// Workload is a set of queries that run together over one data set's files.
// It is read only.
type Workload struct {
	Name    string
	Title   string // for people
	Dataset *datasets.Dataset
	Tables  []*columnar.Table // the tables that the queries may read
	Queries []*plan.Query
}

// WorkloadNames returns the names of all workloads: the queries of every data set, the plans
// over film ratings whose state is several times the memory they are usually given, and a
// plan of text models.
func WorkloadNames() []string {
	return append(catalog.Names(), "groups", "selfjoin", "listagg", "texts")
}

// Workloads returns all workloads, in the order of WorkloadNames.
func Workloads() []Workload {
	var all []Workload
	for _, d := range catalog.All() {
		all = append(all, Workload{Name: d.Name, Title: "the queries of " + d.Title, Dataset: d, Tables: d.Tables, Queries: d.Queries})
	}
	of := func(name string) *datasets.Dataset {
		return all[slices.IndexFunc(all, func(w Workload) bool { return w.Name == name })].Dataset
	}
	rated, reviewed := of("movies"), of("steam")
	for _, q := range []*plan.Query{
		{Name: "groups", Title: "Ratings grouped by user and film", Root: groups()},
		{Name: "selfjoin", Title: "Ratings joined with themselves by user and film", Root: selfJoin()},
		{Name: "listagg", Title: "Ratings gathered in one list of films per user", Root: listAgg()},
	} {
		all = append(all, Workload{
			Name: q.Name, Title: q.Title, Dataset: rated,
			Tables: []*columnar.Table{ratings()}, Queries: []*plan.Query{q},
		})
	}
	q := &plan.Query{Name: "texts", Title: "Reviews of games by their language, with their sentiment", Root: texts()}
	all = append(all, Workload{Name: q.Name, Title: q.Title, Dataset: reviewed, Tables: reviewed.Tables, Queries: []*plan.Query{q}})
	return all
}

// SelectWorkloads returns the named workloads in the order of WorkloadNames, or all if no
// names are given. A single query of a data set, such as movies/q1, is a workload as well;
// these come last, in the order given. Its error lists the workloads there are.
func SelectWorkloads(names ...string) ([]Workload, error) {
	all := Workloads()
	if len(names) == 0 {
		return all, nil
	}
	known := WorkloadNames()
	var single []Workload
	for _, name := range names {
		if slices.Contains(known, name) || slices.ContainsFunc(single, func(w Workload) bool { return w.Name == name }) {
			continue
		}
		w, ok := queryOf(all, name)
		if !ok {
			return nil, fmt.Errorf("there is no workload %q; there are %s", name, strings.Join(known, ", "))
		}
		single = append(single, w)
	}
	all = slices.DeleteFunc(all, func(w Workload) bool { return !slices.Contains(names, w.Name) })
	return append(all, single...), nil
}

// queryOf returns the workload of one query, such as movies/q1.
func queryOf(all []Workload, name string) (w Workload, ok bool) {
	of, query, _ := strings.Cut(name, "/")
	i := slices.IndexFunc(all, func(w Workload) bool { return w.Name == of && w.Dataset.Name == of })
	if i < 0 {
		return w, false
	}
	w = all[i]
	selected, err := w.Dataset.Select(query)
	if err != nil {
		return w, false
	}
	w.Name, w.Title, w.Queries = name, selected[0].Title, selected
	return w, true
}
