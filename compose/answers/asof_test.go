package answers

import "testing"

func TestAsOfText(t *testing.T) {
	a := &AsOf{Tables: []Part{
		{Table: "ratings", Blocks: 1200, All: 2104, Share: 0.57}, {Table: "packed", Blocks: 12, Share: 0.4}, {Table: "pipe", Blocks: 1}, {Table: "credits", All: 9},
	}}
	want := "as of ratings 57 % (block 1,200 of 2,104), packed 40 % (block 12), pipe (block 1), credits (nothing yet), exact for that part"
	if got := a.String(); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if a.Complete = true; a.String() != "complete" {
		t.Errorf("%q", a)
	}
}
