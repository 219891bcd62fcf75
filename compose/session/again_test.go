package session

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/inputs"
	"analyzer/datasets"
)

type counted struct{ begun, ended int }

func (c *counted) Begin(string, columnar.Schema) error { c.begun++; return nil }
func (c *counted) Write(columnar.Rows) error           { return nil }
func (c *counted) End() error                          { c.ended++; return nil }

// TestBeginning begins a job anew that has lost a part, but not often, not once an answer has begun, and
// not where a table comes through a pipe.
func TestBeginning(t *testing.T) {
	fs := vfs.NewMem()
	if err := vfs.Replace(fs, "/t.csv", []byte("a\n1\n")); err != nil {
		t.Fatal(err)
	}
	src := &datasets.Source{Name: "x", Tables: []*columnar.Table{{Name: "t", Files: []string{"t.csv"}}}}
	find := func(file string) *inputs.Inputs {
		in, err := inputs.Find(src, map[string]int{"t": 1}, inputs.Options{Tables: map[string]string{"t": file}, FS: fs, Stdin: strings.NewReader("a\n1\n")})
		if err != nil {
			t.Fatal(err)
		}
		return in
	}
	lost := fmt.Errorf("job: %w", protocol.ErrLost)
	files, pipe := find("/t.csv"), find(inputs.Stdin)
	defer func() { _ = errors.Join(files.Close(), pipe.Close()) }()
	var b Beginning
	if b.Answers = new(counted); b.Again(errors.New("another reason"), files) {
		t.Error("again for another reason")
	}
	if b = (Beginning{Answers: new(counted)}); b.Again(lost, pipe) {
		t.Error("again what came through a pipe")
	}
	b = Beginning{Answers: new(counted)}
	for n := 1; n <= mostBeginnings; n++ {
		if err := b.Begin("q", nil); err != nil || b.Again(lost, files) != (n < mostBeginnings) {
			t.Errorf("after beginning %d, error %v", n, err)
		}
	}
	for _, give := range []func(*Beginning) error{(*Beginning).End, func(b *Beginning) error { return b.Write(columnar.Rows{}) }} {
		to := new(counted)
		b = Beginning{Answers: to}
		if err := errors.Join(b.Begin("q", nil), give(&b)); err != nil || to.begun != 1 || b.Again(lost, files) {
			t.Errorf("an answer that was given does not count: %v, begun %d times", err, to.begun)
		}
		if b.Discarded(); !b.Again(lost, files) {
			t.Error("an answer of which nothing is left counts")
		}
	}
}
