package columnar

import "fmt"

// Names makes names of which no two are equal. The zero value has made none.
type Names struct {
	taken map[string]bool
	last  map[string]int // by name: the number that made one like it unique last
}

// Take takes a name, so that New does not return it.
func (n *Names) Take(name string) {
	if n.taken == nil {
		n.taken, n.last = make(map[string]bool), make(map[string]int)
	}
	n.taken[name] = true
}

// New takes a name that is not taken, and returns it: the given one, or else that with a number
// behind it.
func (n *Names) New(like string) string {
	name := like
	for n.taken[name] {
		number := max(n.last[like], 1) + 1
		n.last[like], name = number, fmt.Sprintf("%s_%d", like, number)
	}
	n.Take(name)
	return name
}
