package pieces

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/compose/session/fault"
)

// growing is a table that comes block by block, and is cut between rows.
type growing struct {
	name  string // of where it comes from
	split csv.Splitter
	from  int64  // the offset at which the splitter began
	at    int64  // the offset at which rest begins
	rest  []byte // what has not been cut off
}

// growingFrom returns a table that is cut from an offset on, at which a row begins, unless files of its
// dialect cannot be cut.
func growingFrom(t *columnar.Table, name string, from int64) (*growing, bool) {
	split, ok := csv.NewSplitter(t.Dialect)
	return &growing{name: name, split: split, from: from, at: from}, ok
}

// add adds what was read.
func (g *growing) add(block []byte) {
	g.rest = append(g.rest, block...)
	g.split.Write(block)
}

// header cuts the first record off, once it has come whole; nil until then.
func (g *growing) header() []byte {
	if g.split.Header() == 0 {
		return nil
	}
	return g.cut(g.from + g.split.Header())
}

// rows cuts off the rows that have come whole.
func (g *growing) rows() ([]byte, error) { return g.cut(g.from + g.split.End()), g.check() }

// check refuses a row that is longer than a row may be.
func (g *growing) check() error {
	if len(g.rest) <= csv.DefaultMaxRecord {
		return nil
	}
	return fault.BadInput("Next: look for a quote that is not closed.",
		fmt.Errorf("%s has a row of more than %d bytes behind byte %d", g.name, csv.DefaultMaxRecord, g.at))
}

// end cuts off what is left.
func (g *growing) end() []byte { return g.cut(g.at + int64(len(g.rest))) }

// cut cuts off what lies before an offset.
func (g *growing) cut(to int64) []byte {
	n := max(0, to-g.at)
	part := g.rest[:n:n]
	g.rest, g.at = g.rest[n:], g.at+n
	return part
}
