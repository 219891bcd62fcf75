package scan_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/scan"
	"analyzer/columnar/vfs"
)

// A consumer looks at one column first, and copies the others for the rows that
// are left.
func Example() {
	table := &columnar.Table{Name: "ratings", Columns: []columnar.TableColumn{
		{Name: "movie_id", Header: "movieId", Format: columnar.FormatInt, Required: true},
		{Name: "rating", Header: "rating", Format: columnar.FormatDecimal, Required: true},
		{Name: "comment", Header: "comment", Format: columnar.FormatText},
	}}
	file := vfs.Stdin(strings.NewReader("movieId,comment,rating\n31,\"good, \"\"very\"\"\",4.5\n7,,3.0\nseven,bad,1\n31,,5\n"))
	ctx := context.Background()
	s, err := scan.Open(ctx, file, table, []string{"movie_id", "rating", "comment"}, scan.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	w := s.NewWorker()
	for {
		c, err := w.Next(ctx)
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			fmt.Println(err)
			return
		}
		ids, err := c.Materialise([]int{0}, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		var wanted []int32
		for i, id := range ids.Cols[0].Ints {
			if id == 31 {
				wanted = append(wanted, int32(i))
			}
		}
		rows, err := c.Materialise([]int{1, 2}, wanted)
		if err != nil {
			fmt.Println(err)
			return
		}
		for i := range rows.Len {
			fmt.Printf("%d %q\n", rows.Cols[0].Ints[i], rows.Cols[1].Bytes(i))
		}
	}
	for _, r := range s.Stats().Samples {
		fmt.Printf("%s:%d: %s: %s: %q\n", r.File, r.Line, r.Column, r.Reason, r.Cell)
	}
	// Output:
	// 4500000 "good, \"very\""
	// 5000000 ""
	// standard input:4: movieId: not-an-int: "seven"
}
