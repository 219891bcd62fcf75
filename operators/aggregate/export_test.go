package aggregate

import "analyzer/columnar"

// Example is the result of a function over a few values of a type.
type Example struct {
	Func  Func
	Takes columnar.Type // of its only form; Invalid if it has several
	Value string
}

// AllExamples returns one for every function.
func AllExamples() []Example {
	var all []Example
	for _, f := range functions {
		e := Example{Func: f.name, Value: f.example}
		if len(f.forms) == 1 {
			e.Takes = f.forms[0].takes
		}
		all = append(all, e)
	}
	return all
}
