package physical

import (
	"encoding/json"
	"strings"

	"analyzer/columnar"
)

// sharedScans returns the columns of scans that are better made once, by what they read: scans
// of one table with equal conditions that differ in their columns alone, as those of several
// queries do; nil if there are none. A cluster then sends their rows once.
//
// A scan with more columns must not make an exchange carry more than the exchanges it replaces.
// So all the exchanges behind such scans are by the same keys, and if there are any, they carry
// all the columns.
func (p *Plan) sharedScans() map[string][]string {
	uses, crossed := make(map[string]*scanUse), p.crossings()
	for _, n := range p.Nodes {
		if n.Scan == nil || len(n.Scan.Filters) > 0 { // filters depend on other scans
			continue
		}
		key := n.Scan.reads()
		if uses[key] == nil {
			uses[key] = &scanUse{}
		}
		uses[key].add(n, crossed[n.ID])
	}
	var out map[string][]string
	for key, use := range uses {
		if use.worthOne() {
			if out == nil {
				out = make(map[string][]string)
			}
			out[key] = use.columns
		}
	}
	return out
}

// scanUse is how scans with equal conditions are used.
type scanUse struct {
	scans     int
	columns   []string
	exchanges []string // their keys, as text
	exchanged []string // columns that cross exchanges
}

func (u *scanUse) add(n *Node, exchanges []string) {
	u.scans++
	u.columns = columnar.Union(u.columns, n.Scan.Columns)
	u.exchanges = columnar.Union(u.exchanges, exchanges)
	if len(exchanges) > 0 {
		u.exchanged = columnar.Union(u.exchanged, n.Scan.Columns)
	}
}

func (u *scanUse) worthOne() bool {
	return u.scans > 1 && (len(u.exchanges) == 0 || len(u.exchanges) == 1 && columnar.SetOf(u.exchanged).HasAll(u.columns))
}

// crossings returns, for each node, the keys of the exchanges that its rows cross next.
func (p *Plan) crossings() [][]string {
	keys := make([][]string, len(p.Nodes))
	for _, n := range p.Nodes {
		for _, in := range n.Inputs {
			if in.Exchange != nil {
				keys[in.Node] = append(keys[in.Node], strings.Join(in.Exchange.Keys, "\x00"))
			}
		}
	}
	return keys
}

// reads says what a scan reads, whatever its columns.
func (s *Scan) reads() string {
	of := *s
	of.Columns = nil
	text, err := json.Marshal(of)
	if err != nil {
		panic("planner: a scan does not serialise: " + err.Error())
	}
	return string(text)
}
