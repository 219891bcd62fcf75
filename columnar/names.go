package columnar

import (
	"fmt"
	"slices"
)

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

// Union returns the names in lists, in their order, each once.
func Union(lists ...[]string) (names []string) {
	had := make(NameSet)
	for _, list := range lists {
		for _, name := range list {
			if !had.Has(name) {
				had.Add(name)
				names = append(names, name)
			}
		}
	}
	return names
}

// Without returns those of the names that are not among some.
func Without(names, some []string) []string {
	return slices.DeleteFunc(slices.Clone(names), SetOf(some).Has)
}

// Only returns those of some values of which a function says so.
func Only[T any](all []T, is func(T) bool) []T {
	return slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !is(one) })
}

// Each returns the results of a function for each element of a slice, such as the names of columns.
func Each[T, U any](all []T, of func(T) U) []U {
	made := make([]U, len(all))
	for i, one := range all {
		made[i] = of(one)
	}
	return made
}
