// Package query makes plans of statements. Each step is a package: sql makes a tree of a text,
// bind a plan of the tree with the expressions of scalar, rules rewrite the plan, and physical cuts it into stages that run.
package query

import (
	"fmt"

	"analyzer/columnar/budget"
	"analyzer/operators/query/bind"
	"analyzer/operators/query/plan"
	"analyzer/operators/query/rules"
	"analyzer/operators/query/sql"
)

// Plan returns the plan of a query over the tables of a catalog. Its columns have the names of
// the answer's columns. step is as in rules.Rewrite. Where work must stop, the error is its.
func Plan(work *budget.Work, q *sql.Query, c bind.Catalog, params bind.Params, step rules.Step) (*plan.Node, error) {
	root, err := bind.Query(work, q, c, params)
	if err != nil {
		return nil, err
	}
	if root, err = rules.Rewrite(work, root, c.PlanTables(), step); err != nil {
		return nil, fmt.Errorf("rewrite the plan: %w", err)
	}
	return root, nil
}
