// Package plan holds queries as data: a tree of relational nodes over named
// tables, with expressions as values and parameters with defaults. A plan
// serialises to JSON, prints as a tree, and holds no Go function, so that it
// can travel to another process and be written by a user as well as by a data
// set.
//
// A Node says what is wanted, never how: no replica, exchange or partial
// aggregation appears here. Package planner turns plans into stages.
package plan
