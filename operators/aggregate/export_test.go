package aggregate

import "analyzer/columnar"

// Taken is the types of the arguments of a function, in one of its forms.
type Taken struct {
	Func  Func
	Types []columnar.Type
}

// AllTaken returns all forms of all functions.
func AllTaken() []Taken {
	var all []Taken
	for _, f := range functions.All() {
		for _, form := range f.forms {
			all = append(all, Taken{f.name, form.takes})
		}
	}
	return all
}
