package plan

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"analyzer/columnar"
)

// Limits of plans from outside, in addition to those of single expressions.
const (
	MaxTables  = 100  // of a job
	maxColumns = 4096 // of a table
	maxQueries = 100
	maxNodes   = 500 // of all queries
	maxDepth   = 60  // of a query
	maxName    = 100 // bytes
)

// Check validates plans from outside, and the tables they read, against limits.
// It runs before any code that expects plans to be complete and of reasonable
// size. It does not check whether columns exist and types fit; Node.Schema
// does.
func Check(tables []*columnar.Table, queries []*Query) error {
	if len(tables) > MaxTables || len(queries) > maxQueries {
		return fmt.Errorf("%d tables and %d queries, and a job has up to %d and %d: put files of one table together, or leave queries out",
			len(tables), len(queries), MaxTables, maxQueries)
	}
	if len(queries) == 0 {
		return errors.New("there is no query")
	}
	if err := checkTables(tables); err != nil {
		return err
	}
	return checkQueries(queries)
}

// Printable reports whether a text can be shown as it is and has at most the
// given number of bytes.
func Printable(text string, most int) bool {
	return len(text) <= most && utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

func checkTables(tables []*columnar.Table) error {
	seen := make(map[string]bool)
	for _, t := range tables {
		if err := CheckTable(t); err != nil {
			return err
		}
		if err := checkName("table", t.Name, seen); err != nil {
			return err
		}
	}
	return nil
}

// CheckTable is Check for one table, without its name.
func CheckTable(t *columnar.Table) error {
	if t == nil {
		return errors.New("a table is missing")
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
	return nil
}

func checkQueries(queries []*Query) error {
	seen := make(map[string]bool)
	nodes := 0
	for _, q := range queries {
		if q == nil || q.Root == nil {
			return errors.New("a query is missing")
		}
		if err := checkName("query", q.Name, seen); err != nil {
			return err
		}
		if q.Version != CurrentVersion {
			return fmt.Errorf("query %s does not say which version of plans it is; this program reads %d", q.Name, CurrentVersion)
		}
		if err := q.Root.check(1, &nodes); err != nil {
			return fmt.Errorf("query %s: %w", q.Name, err)
		}
	}
	return nil
}

// checkName rejects names that could be mistaken for something else where they
// are shown, or where they become part of a file name.
func checkName(what, name string, seen map[string]bool) error {
	if name == "" || !Printable(name, maxName) || strings.HasPrefix(name, ".") || strings.ContainsAny(name, `/\:`) {
		return fmt.Errorf("%q cannot be the name of a %s", name, what)
	}
	if seen[name] {
		return fmt.Errorf("there are two of the name %q (%s)", name, what)
	}
	seen[name] = true
	return nil
}

// check checks the nodes from n down. depth is the depth of n; nodes counts the
// nodes of all queries so far.
func (n *Node) check(depth int, nodes *int) error {
	if n == nil {
		return errors.New("a node is missing")
	}
	if *nodes++; *nodes > maxNodes {
		return fmt.Errorf("the queries up to here have more than %d nodes: ask fewer at a time, with --query, or make them simpler", maxNodes)
	}
	if depth > maxDepth {
		return fmt.Errorf("there are more than %d nodes on top of each other: make it simpler", maxDepth)
	}
	if n.Op == Scan && len(n.Exprs) > 0 {
		return errors.New("a scan with other names of columns stands only in plans that are being made")
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
	for _, in := range n.Inputs {
		if err := in.check(depth+1, nodes); err != nil {
			return err
		}
	}
	return nil
}
