package session

import (
	"slices"
	"testing"

	"analyzer/columnar/vfs"
)

func TestCompletions(t *testing.T) {
	files := vfs.NewMem()
	if err := files.MkdirAll("data"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"films.csv": "title,Year of Release\nHeat,1995\n", "data/votes.csv": "film,score\n1,2\n", "notes.txt": "x\n"} {
		if err := vfs.Replace(files, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	ses := New(Config{FS: files, Own: vfs.NewMem(), Tables: map[string]string{"votes": "data/votes.csv"}})
	for _, c := range []struct {
		earlier, head, tail string
		start               string
		some                []string // of what is proposed
	}{
		{"", "sel", "", "", []string{"select"}},
		{"", "SELECT * FROM ", "", "SELECT * FROM ", []string{"votes", "'films.csv'", "SELECT"}},
		{"", "SELECT * FROM 'da", "", "SELECT * FROM ", []string{"'data/"}},
		{"", "SELECT * FROM 'data/", "", "SELECT * FROM ", []string{"'data/votes.csv'"}},
		{"", "SELECT sc", " FROM votes", "SELECT ", []string{"score"}},
		{"SELECT *\nFROM 'films.csv'\n", "WHERE \"Y", "", "WHERE ", []string{`"Year of Release"`}},
		{"", "SELECT coal", "", "SELECT ", []string{"coalesce("}},
		{"SELECT 'an open\n", "text", "", "text", nil},
		{"", "SELECT * FROM 'nothing", "", "SELECT * FROM ", nil},
	} {
		start, words := ses.Completer().Complete(c.earlier, c.head, c.tail)
		missing := slices.ContainsFunc(c.some, func(w string) bool { return !slices.Contains(words, w) })
		if start != c.start || missing || len(c.some) == 0 && len(words) > 0 {
			t.Errorf("%s%s|%s: %q behind %q, want %q behind %q", c.earlier, c.head, c.tail, words, start, c.some, c.start)
		}
	}
}
