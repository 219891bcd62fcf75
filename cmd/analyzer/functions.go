package main

import (
	"fmt"
	"io"

	"analyzer/operators/aggregate"
	"analyzer/operators/expr"
	"analyzer/operators/window"
)

// showFunctions lists what expressions and aggregations of plans are made of, as
// the tables of functions have it.
func showFunctions(w io.Writer) error {
	docs, err := expr.Docs(expr.NewEnv())
	if err != nil {
		return err
	}
	print := func(format string, a ...any) {
		if err == nil {
			_, err = fmt.Fprintf(w, format, a...)
		}
	}
	print("Functions of a row, for conditions and columns. Where an argument is null, so\n" +
		"is the value, unless the line says otherwise.\n")
	for _, d := range docs {
		print("\n  %s\n      %s\n      %s\n", d.Usage, d.Help, d.Example)
	}
	print("\nAggregates of a group's rows. Nulls are passed over; of none but nulls a count\n" +
		"is 0, a list is empty, and others are null. None depends on the order of rows.\n")
	for _, d := range aggregate.Docs() {
		print("\n  %s\n      %s\n      %s\n", d.Usage, d.Help, d.Example)
	}
	print("\nFunctions of a row among its neighbours, in windows; all aggregates can be those of a\n" +
		"frame. The frame of those of values is what is written, or up to the row's last peer.\n")
	for _, d := range window.Docs() {
		print("\n  %s\n      %s\n      %s\n", d.Usage, d.Help, d.Example)
	}
	return err
}
