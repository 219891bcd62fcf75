package scan

import (
	"context"
	"io"
	"strconv"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

// A worker may come to a file only when others have read it, and the files after it, to their ends. Where
// the next file begins must not change by that: two blocks would have one number.
func TestLateWorkersDoNotTurnBack(t *testing.T) {
	fs, table := vfs.NewMem(), &columnar.Table{Name: "t", Columns: []columnar.TableColumn{{Name: "id", Header: "id"}}}
	name := func(i int) string { return "/" + strconv.Itoa(i) }
	for i := range 3 {
		if err := vfs.Replace(fs, name(i), []byte("id\n1\n")); err != nil {
			t.Fatal(err)
		}
	}
	a := OpenAll(Files{Len: 3, Open: func(_ context.Context, i int) (vfs.File, *columnar.Table, error) {
		f, err := fs.Open(name(i))
		return f, table, err
	}}, table, []string{"id"}, AllOptions{InTurn: true})
	take := func() *opened {
		o, err := a.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	readToEnd := func(o *opened) {
		a.reading(o)
		a.read(o, nil, io.EOF)
		if err := a.leave(o); err != nil {
			t.Fatal(err)
		}
	}
	prompt, late := take(), take()
	if prompt != late {
		t.Fatalf("two workers read files %d and %d at once", prompt.index, late.index)
	}
	prompt.blocks = 5
	readToEnd(prompt)
	second := take()
	second.blocks = 7
	readToEnd(second)
	readToEnd(late)
	if third := take(); third.index != 2 || third.first != 5+7 {
		t.Errorf("file %d begins with block %d", third.index, third.first)
	} else {
		readToEnd(third)
	}
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}
