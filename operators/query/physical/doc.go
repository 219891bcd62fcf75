// Package physical turns logical plans into a physical one: a graph of operators
// cut into stages at exchanges.
//
// Each node of a logical plan, as package rules leaves it, is lowered to operators
// (lower.go), with only the columns that are needed. An aggregation becomes a
// partial one before the exchange and a final one after it. If it stands over a
// join and aggregates only the probe side, the partial one goes below the join
// (aggregate.go). Equal nodes become one, whether in one query or in several.
//
// The result is data as well: it serialises, prints, and contains nothing about
// processes, files or brokers.
package physical
