package expr

import "analyzer/columnar"

// Expensive is the least cost of an expression that runs a text model. Its cost
// by row is a thousand times that of anything else, so that it is best evaluated
// last and on the fewest rows.
const Expensive = 100_000

// The costs of operations, about in nanoseconds a row.
const (
	costFixed = 1
	costText  = 5
	costList  = 20
	costLower = 100
)

// Cost returns roughly what evaluating e takes per row, to order conditions by:
// comparing numbers costs less than looking into texts, that less than lists,
// lower case more again, and the text models most of all (see Expensive). The
// cheapest of conditions that may come in any order should come first.
func (e *Expr) Cost() int {
	if e == nil {
		return 0
	}
	cost := e.ownCost()
	for _, a := range e.Args {
		cost += a.Cost()
	}
	return cost
}

func (e *Expr) ownCost() int {
	switch e.Op {
	case OpColumn, OpParam, OpLiteral:
		return 0
	case OpSentiment, OpPolarity, OpLanguage:
		return Expensive
	case OpLower:
		return costLower
	case OpListContains, OpListContainsAll, OpElement:
		return costList
	case OpYear, OpContains:
		return costText
	}
	for _, a := range e.Args {
		if a != nil && a.isText() {
			return costText
		}
	}
	return costFixed
}

// isText reports whether e is known to be a text without looking at a schema.
func (e *Expr) isText() bool {
	switch e.Op {
	case OpLower, OpElement:
		return true
	case OpLiteral:
		return e.Value != nil && e.Value.Type == columnar.Text
	}
	return false
}

// opCanFail reports whether the operation can end in an overflow.
func (e *Expr) opCanFail() bool {
	switch e.Op {
	case OpAdd, OpSub, OpMul, OpDiv, OpIntDiv, OpToDecimal:
		return true
	}
	return false
}
