// Package operators computes. Its root holds the contract that every operator
// meets and the runtime that operators share. Each operator has a subpackage:
// rowwise (filter, project, unnest), aggregate, join, order (sort, top,
// percentile), window. Expressions are in expr, the text models in language and
// sentiment, logical plans in plan. Package planner cuts a logical plan into
// stages, and exec runs one.
//
// An operator knows nothing of files, transports or other processes. It is
// pushed borrowed rows and emits borrowed rows, so a chain of operators is a
// chain of calls, and one batch can feed several queries. The driver decides
// where an epoch ends by calling Finish.
package operators
