// Package plan holds queries as data: a tree of relational nodes over named
// tables, with expressions as values and parameters with defaults. A plan
// serialises to JSON, prints as a tree, and holds no Go function. So it can
// travel to another process, and a user can write one as well as a data set
// can.
//
// A Node says what is wanted, never how: replicas, exchanges and partial
// aggregations do not appear here. Package physical turns plans into stages.
package plan
