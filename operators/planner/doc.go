// Package planner turns logical plans into a physical one: a graph of operators
// cut into stages at exchanges.
//
// First the logical plans are rewritten: filters move down to the scans and a
// costly one over a text is kept from rows that cannot matter (rewrite.go,
// bound.go). Then each node is lowered to operators (lower.go), with only the
// columns that are needed. An aggregation becomes a partial one before the
// exchange and a final one after it, and where it stands over a join whose probe
// side alone it counts and sums, the partial one goes below the join
// (aggregate.go). Nodes that are equal, in one query or several, become one.
//
// The result is data as well: it serialises, prints, and says nothing of
// processes, files or brokers.
package planner
