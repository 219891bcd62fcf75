package expr

import "analyzer/columnar"

// gatherShare is the part of the rows, one in so many, up to which copying them
// together pays for an argument that is neither expensive nor able to fail.
const gatherShare = 3

// guard prepares the input of a part of a tree that is computed only for some
// rows of a batch.
type guard struct {
	always   bool // never for rows that do not need it
	cols     []int
	gathered []gathered
	in       input
	rows     []int32
}

// gathered is a column's values in the rows of a guard. The memory for validity
// is kept apart, as a vector gives it up when it is reset.
type gathered struct {
	vec   *columnar.Vector
	valid []bool
}

// pass prepares all the rows.
func (g *guard) pass(in *input) {
	for _, i := range g.cols {
		g.in.cols[i] = in.cols[i]
	}
	g.in.rows = in.rows
	g.in.pass++
}

// gather prepares the rows of the guard.
func (g *guard) gather(in *input) {
	for k, i := range g.cols {
		g.gathered[k].fill(in.cols[i], g.rows)
		g.in.cols[i] = g.gathered[k].vec
	}
	g.in.rows = len(g.rows)
	g.in.pass++
}

func (c *gathered) fill(src *columnar.Vector, rows []int32) {
	if c.vec.Valid != nil {
		c.valid = c.vec.Valid
	}
	c.vec.Reset()
	if src.Valid != nil {
		c.vec.Valid = resize(c.valid, len(rows))[:0]
	}
	c.vec.AppendGather(src, rows)
}
