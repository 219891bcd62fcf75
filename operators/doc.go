// Package operators is what is computed. Its root holds the contract all
// operators meet and what they are given to work with; each operator has a
// subpackage: rowwise (filter, project, unnest), aggregate, join, order (sort,
// top, percentile), with expressions in expr, the text models in language and
// sentiment, logical plans in plan, and the way from a plan to stages in
// planner.
//
// An operator knows nothing of files, transports or other processes. It is
// pushed borrowed rows and emits borrowed rows, so a chain of operators is a
// chain of calls, one batch can feed several queries, and the driver decides
// where an epoch ends by calling Finish.
package operators
