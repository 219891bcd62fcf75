package session_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/session"
	"analyzer/compose/session/fault"
)

// TestAdviceIsRight follows what is said about columns that nearly have a type, and about casts that
// fail: each option of read_csv that is advised gives the type that the column is said to have.
func TestAdviceIsRight(t *testing.T) {
	many := strings.Repeat("7,50;x\n", 60)
	for name, tt := range map[string]struct{ file, typ, place string }{
		"a word":           {"v;w\n" + many + "u.a.;x\n" + many + "u.a.;x\n", "DECIMAL", `2 cells, the first "u.a." in line 62`},
		"many words":       {"v;w\n" + strings.Repeat(many, 2) + "a;x\nb;x\nc;x\nd;x\ne;x\nf;x\ng;x\n", "DECIMAL", `7 cells, the first "a" in line 122`},
		"an apostrophe":    {"v;w\n" + many + "it's;x\n", "DECIMAL", `"it's" in line 62`},
		"plain":            {"v\n" + strings.Repeat("1.5\n", 20) + "x?\n", "DECIMAL", `"x?" in line 22`},
		"dates":            {"v;w\n" + strings.Repeat("31.1.2024;x\n", 20) + "soon;x\n", "DATE", `"soon" in line 22`},
		"a doubted order":  {"v;w\n1/2/2024;x\n3/4/2024;x\n", "DATE", "order of day and month, as in line 2"},
		"doubted times":    {"v;w\n1/2/2024 10:00;x\n", "TIMESTAMP", "order of day and month, as in line 2"},
		"short years":      {"v;w\n1/2/24;x\n3/4/24;x\n", "DATE", "order of day and month, as in line 2"},
		"another century":  {"v;w\n" + strings.Repeat("31.1.24;x\n", 20) + "31.1.45;x\n", "DATE", `"31.1.45" in line 22`},
		"a doubted mark":   {"v;w\n999;x\n1,234;x\n", "BIGINT", "decimal one, as in line 3"},
		"doubted euros":    {"v;w\n€1.234;x\n", "DECIMAL", "decimal one, as in line 2"},
		"telephones":       {"v;w\n612 345 678;x\n712 345 678;x\n", "BIGINT", "telephone, as in line 2"},
		"numbers of lists": {"v;w\n(1);x\n(2);x\n", "BIGINT", "list"},
		"many per cent":    {"v;w\n" + strings.Repeat("5,5 %;x\n", 60) + "none;x\n", "DECIMAL", `"none" in line 62`},
	} {
		ses, said := described(t, tt.file)
		if !strings.Contains(said, tt.place) {
			t.Errorf("%s: %q does not say %q", name, said, tt.place)
		}
		follow(t, ses, name, said, tt.typ)
	}
}

// described returns a session over a file /t.csv, and what it says of the file.
func described(t *testing.T, file string) (ses *session.Session, said string) {
	t.Helper()
	var notices []string
	fs := memory("/t.csv", file)
	ses = session.New(session.Config{
		FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 2, MaxRejects: -1,
		Notice: func(n session.Notice) { notices = append(notices, n.Text) },
	})
	if _, err := answer(t, ses, "DESCRIBE '/t.csv'"); err != nil {
		t.Fatal(err)
	}
	return ses, strings.Join(notices, "\n")
}

// follow reads the column v of /t.csv as each piece of advice says.
func follow(t *testing.T, ses *session.Session, name, said, typ string) {
	t.Helper()
	found := regexp.MustCompile(`read_csv\(…, (.*?)\)(?: or |; |\.? *$)`).FindAllStringSubmatch(said, -1)
	if len(found) == 0 {
		t.Errorf("%s: no advice in %q", name, said)
	}
	for _, advice := range found {
		got, err := answer(t, ses, "SELECT DISTINCT typeof(v) AS t FROM read_csv('/t.csv', "+advice[1]+") WHERE v IS NOT NULL")
		want := "t\n" + typ + "\n"
		if strings.HasPrefix(advice[1], "decimal") || strings.HasPrefix(advice[1], "thousands") { // one of two readings
			got, want = strings.Replace(got, "BIGINT", "DECIMAL", 1), strings.Replace(want, "BIGINT", "DECIMAL", 1)
		}
		if err != nil || got != want {
			t.Errorf("%s: with %s the type is %q, want %q (%v)", name, advice[1], got, want, err)
		}
	}
}

// TestFlagsBehindNumbers adds up columns in which flags follow numbers by the expression that is advised.
func TestFlagsBehindNumbers(t *testing.T) {
	for file, want := range map[string][2]string{
		"v;w\n12.3 p;x\n: c;x\n-5.5e;x\n:;x\n":       {`"p", "c", "e" behind some is no part of a number, as in line 2: "12.3 p"`, "6.8"},
		"v;w\n1.234,5*;x\n7;x\n1.234.567 b;x\n":      {`"*", "b" behind some`, "1235808.5"},
		"v;w\n1 234,5 ab;x\n7 ;x\n-0,5 c;x\n;x\n":    {`"ab", "c" behind some`, "1241"},
		"v;w\n\"1,234*\";x\n7;x\n1,234,567;x\n8;x\n": {`"*" behind some`, "1235816"},
	} {
		ses, said := described(t, file)
		_, expression, found := strings.Cut(said, "; write ")
		if !found || !strings.Contains(said, want[0]) {
			t.Errorf("%q: %q does not say %q", file, said, want[0])
			continue
		}
		expression, _, _ = strings.Cut(expression, "\n")
		if got, err := answer(t, ses, "SELECT sum("+expression+") AS s FROM '/t.csv'"); err != nil || got != "s\n"+want[1]+"\n" {
			t.Errorf("%q: the sum of %s is %q, not %s (%v)", file, expression, got, want[1], err)
		}
	}
}

// TestCastsThatFail names the cell that cannot be cast, and what to write.
func TestCastsThatFail(t *testing.T) {
	for text, tt := range map[string]struct{ file, place, typ string }{
		"SELECT sum(CAST(v AS DECIMAL)) FROM '/t.csv'": {"k;v\n1;none\n2;1.234,50 €\n", `t.csv, line 2, column v: "none" is no DECIMAL`, ""},
		"SELECT sum(v::DECIMAL(18, 3)) FROM '/t.csv'":  {"k;v\n1;5\n2;1.234,50\n3;x\n4;6.5\n", `column v: `, ""},
		"SELECT max(v::BIGINT) FROM '/t.csv'":          {"k;v\n1;5\n2;x\n", `t.csv, line 3, column v: "x" is no BIGINT`, ""},
		"SELECT max(v::DATE) FROM '/t.csv'":            {"k;v\n1;1/2/2024\n", `t.csv, line 2, column v: "1/2/2024" is no DATE`, "DATE"},
		"SELECT max(v::BOOLEAN) FROM '/t.csv'":         {"k;v\n1;perhaps\n", `t.csv, line 2, column v: "perhaps" is no BOOLEAN`, ""},
	} {
		ses := over(memory("/t.csv", tt.file))
		_, err := answer(t, ses, text)
		var f *fault.Error
		if !errors.As(err, &f) || !strings.Contains(err.Error(), tt.place) || !strings.Contains(f.Hint, "Next: ") || !strings.Contains(f.Hint, "TRY_CAST") {
			t.Errorf("%s: %v, want %q", text, err, tt.place)
			continue
		}
		if f.File != "/t.csv" || f.Line < 2 {
			t.Errorf("%s: for programs it is in line %d of %q", text, f.Line, f.File)
		}
		if tt.typ != "" {
			follow(t, ses, text, f.Hint, tt.typ)
		}
		if _, err := answer(t, ses, regexp.MustCompile(`v::(\w+(\(.*?\))?)`).ReplaceAllString(strings.Replace(text, "CAST", "TRY_CAST", 1), "TRY_CAST(v AS $1)")); err != nil {
			t.Errorf("%s, tried: %v", text, err)
		}
	}
}
