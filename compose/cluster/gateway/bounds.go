package gateway

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/plan"
)

// The bounds of a request to open a job, over those of protocol.Spec.
const (
	maxTables     = 100
	maxColumns    = 4096 // of a table
	maxQueries    = 100
	maxNodes      = 500 // of all queries
	maxDepth      = 60  // of a query
	maxName       = 100 // bytes
	maxDeliveries = 4096
)

// checkRequest holds a request from outside against bounds, before anything walks
// over it that expects it to be whole.
func checkRequest(r *protocol.OpenRequest) error {
	if len(r.Tables) > maxTables || len(r.Queries) > maxQueries {
		return fmt.Errorf("%d tables and %d queries; %d and %d are possible", len(r.Tables), len(r.Queries), maxTables, maxQueries)
	}
	if len(r.Queries) == 0 {
		return errors.New("there is no query")
	}
	if r.TTL < protocol.MinTTL {
		return fmt.Errorf("a time to live of %v; at least %v is possible", r.TTL, protocol.MinTTL)
	}
	if !printable(r.Label, maxName) {
		return fmt.Errorf("a label that is not printable, or longer than %d bytes", maxName)
	}
	if err := checkTables(r.Tables); err != nil {
		return err
	}
	return checkQueries(r.Queries)
}

// printable reports whether a text can be shown as it is, and is not too long.
func printable(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func checkTables(tables []*columnar.Table) error {
	seen := make(map[string]bool)
	for _, t := range tables {
		if t == nil {
			return errors.New("a table is missing")
		}
		if err := checkName("table", t.Name, seen); err != nil {
			return err
		}
		if len(t.Columns) > maxColumns {
			return fmt.Errorf("table %s has %d columns; %d are possible", t.Name, len(t.Columns), maxColumns)
		}
		columns := make(map[string]bool)
		for _, c := range t.Columns {
			if columns[c.Name] {
				return fmt.Errorf("table %s has two columns %q", t.Name, c.Name)
			}
			columns[c.Name] = true
		}
	}
	return nil
}

func checkQueries(queries []*plan.Query) error {
	seen := make(map[string]bool)
	nodes := 0
	for _, q := range queries {
		if q == nil || q.Root == nil {
			return errors.New("a query is missing")
		}
		if err := checkName("query", q.Name, seen); err != nil {
			return err
		}
		if err := checkNode(q.Root, 1, &nodes); err != nil {
			return fmt.Errorf("query %s: %w", q.Name, err)
		}
	}
	return nil
}

// checkName refuses names that could be mistaken for something else where they
// are shown or made part of a file's name.
func checkName(what, name string, seen map[string]bool) error {
	if name == "" || !printable(name, maxName) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q cannot be the name of a %s", name, what)
	}
	if seen[name] {
		return fmt.Errorf("there are two of the name %q (%s)", name, what)
	}
	seen[name] = true
	return nil
}

// checkNode checks what is below a node of a logical plan.
func checkNode(n *plan.Node, depth int, nodes *int) error {
	if n == nil {
		return errors.New("a node is missing")
	}
	if *nodes++; *nodes > maxNodes || depth > maxDepth {
		return fmt.Errorf("there are more than %d nodes, or %d on top of each other", maxNodes, maxDepth)
	}
	for _, e := range n.Exprs {
		if err := e.Expr.Validate(); err != nil {
			return fmt.Errorf("column %q: %w", e.Name, err)
		}
	}
	if n.Where != nil {
		if err := n.Where.Validate(); err != nil {
			return err
		}
	}
	if n.Limit != nil {
		if err := n.Limit.Validate(); err != nil {
			return err
		}
	}
	if n.Quantile != nil {
		if err := n.Quantile.Validate(); err != nil {
			return err
		}
	}
	for _, in := range n.Inputs {
		if err := checkNode(in, depth+1, nodes); err != nil {
			return err
		}
	}
	return nil
}

// checkSpec bounds what a job asks of everybody.
func checkSpec(spec *protocol.Spec) error {
	receivers := 0
	for _, n := range spec.Plan.Nodes {
		for _, way := range spec.Outlets(n.ID) {
			receivers += len(way.Receivers)
		}
	}
	if receivers > maxDeliveries {
		return fmt.Errorf("the plan needs %d queues; %d are possible", receivers, maxDeliveries)
	}
	return nil
}
