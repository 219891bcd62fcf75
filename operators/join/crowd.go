package join

import "analyzer/columnar"

const (
	// chainsWalked is how many chains are walked to find out whether different keys crowd in
	// them, from rows that are spread evenly over the build side.
	chainsWalked = 64
	// mostStrangers is how often the key may change along a chain. By chance, hardly any two
	// keys of a chain differ.
	mostStrangers = 32
)

// crowded reports whether a chain has many different keys. Whoever writes rows can choose
// keys that agree in their public hash, and each look-up would compare all of them. Finding
// out takes at most a few steps for each row, and none if no chain is longer than a row.
func (p *prober) crowded(rows *columnar.Pages) bool {
	if len(p.directory.next) == 0 {
		return false
	}
	steps, every, passed := 4*rows.Len(), max(1, rows.Len()/chainsWalked), 0
	for i := range rows.Count() {
		n := rows.Page(i).Len
		for row := (every - passed%every) % every; row < n; row += every {
			if p.strangers(columnar.RowID(i, row), &steps) > mostStrangers {
				return true
			}
		}
		passed += n
	}
	return false
}

// strangers counts how often the key changes along the chain from a row on, up to one more
// than mostStrangers and in so many steps, which it subtracts.
func (p *prober) strangers(id uint32, steps *int) (n int) {
	for next := p.directory.next[id]; next != 0 && *steps > 0 && n <= mostStrangers; id, next = next, p.directory.next[next] {
		*steps--
		if !p.sameKeys(id, next) {
			n++
		}
	}
	return n
}

// sameKeys reports whether two rows of the build side have equal keys.
func (p *prober) sameKeys(a, b uint32) bool {
	for _, k := range p.buildKeys {
		left, i := p.rows.Value(k, a)
		right, j := p.rows.Value(k, b)
		if !columnar.Same(left, i, right, j) {
			return false
		}
	}
	return true
}
