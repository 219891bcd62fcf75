package rules

import (
	"math"
	"slices"
)

// pairing is parts of which those are joined first whose join adds least to the costs. It knows what each join adds, and
// for each part which join with a part before it adds least, so that no join is judged twice, and few are compared.
type pairing struct {
	tree     *joinTree
	products bool
	parts    []*joined   // nil: joined with a part before it
	added    [][]float64 // by part, and by the part before it: what their join adds; infinite if nothing connects them
	nearest  []int       // by part: the first of the parts before it with which it adds least; -1: none
}

func (t *joinTree) pairing(parts []*joined, products bool) *pairing {
	p := &pairing{tree: t, products: products, parts: slices.Clone(parts), added: make([][]float64, len(parts)), nearest: make([]int, len(parts))}
	for i := range parts {
		p.added[i] = make([]float64, i)
		p.compareAll(i)
	}
	return p
}

// compareAll looks at the joins of a part with those before it.
func (p *pairing) compareAll(i int) {
	for k := range i {
		if p.parts[k] != nil {
			p.compare(k, i)
		}
	}
	p.findNearest(i)
}

// compare looks at the join of two parts.
func (p *pairing) compare(k, i int) {
	p.tree.work.Do(1 + len(p.tree.classes)/32)
	j := p.tree.cheaper(joined{}, p.parts[k], p.parts[i], p.products)
	switch {
	case j.build == nil:
		p.added[i][k] = math.Inf(1)
	case j.added() < math.MaxFloat64:
		p.added[i][k] = j.added()
	default: // more than there are numbers for
		p.added[i][k] = math.MaxFloat64
	}
}

func (p *pairing) findNearest(i int) {
	least := math.Inf(1)
	p.nearest[i] = -1
	for k, added := range p.added[i] {
		if p.parts[k] != nil && added < least {
			least, p.nearest[i] = added, k
		}
	}
}

// cheapest returns the two parts whose join adds least.
func (p *pairing) cheapest() (k, i int) {
	least := math.Inf(1)
	k, i = -1, -1 // some join is possible, since the parts are connected
	for at, near := range p.nearest {
		if p.parts[at] != nil && near >= 0 && p.added[at][near] < least {
			least, k, i = p.added[at][near], near, at
		}
	}
	return k, i
}

// join puts the join of two parts in place of the first.
func (p *pairing) join(k, i int) {
	p.parts[k], p.parts[i] = p.tree.kept(p.tree.cheaper(joined{}, p.parts[k], p.parts[i], p.products)), nil
	p.compareAll(k)
	for later := k + 1; later < len(p.parts); later++ {
		if p.parts[later] == nil {
			continue
		}
		p.compare(k, later)
		near := p.nearest[later]
		switch {
		case near == k || near == i || near < 0:
			p.findNearest(later)
		case p.added[later][k] < p.added[later][near] || p.added[later][k] == p.added[later][near] && k < near:
			p.nearest[later] = k
		}
	}
}
