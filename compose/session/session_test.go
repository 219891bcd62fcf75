package session_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/operators/expr"
)

// answer runs a statement and returns its answer as CSV.
func answer(t *testing.T, ses *session.Session, text string) (string, error) {
	t.Helper()
	got, _, err := ran(t, ses, text)
	return got, err
}

// ran returns the answer to a statement, and what its operators did.
func ran(t *testing.T, ses *session.Session, text string) (got string, report *engine.Report, err error) {
	t.Helper()
	asked, err := ses.Prepare(t.Context(), text, nil)
	if err != nil {
		return "", nil, err
	}
	defer asked.Close()
	var b strings.Builder
	out, err := answers.NewStream(&b, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	if report, err = asked.Run(t.Context(), out); err != nil {
		return "", nil, err
	}
	err = out.Finish()
	return b.String(), report, err
}

// A column whose beginning looks like numbers is a text if a later cell is none: the run
// begins again, and the answer is written once.
func TestWrongGuess(t *testing.T) {
	var file strings.Builder
	file.WriteString("code\n")
	const rows = 40_000 // of 20 bytes each: the last one is beyond any sample
	for n := range rows {
		fmt.Fprintln(&file, 1_000_000_000_000_000_000+n%10)
	}
	file.WriteString("x\n")
	ses := over(memory("/sales.csv", file.String()))
	got, err := answer(t, ses, "SELECT max(code) AS m, count(*) AS n FROM sales")
	if err != nil || got != "m,n\nx,40001\n" {
		t.Errorf("the answer is %q, error %v", got, err)
	}
	asked, err := ses.Prepare(t.Context(), "FROM sales", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	schema, err := asked.Schema(t.Context())
	if err != nil || len(schema) != 1 || schema[0].Type != columnar.Text {
		t.Errorf("the columns are %v, error %v", schema, err)
	}
}

func TestViews(t *testing.T) {
	ses := over(memory("/sales.csv", sales))
	for _, text := range []string{"CREATE VIEW Dear AS FROM sales WHERE price > 3", "CREATE OR REPLACE VIEW dear AS FROM sales WHERE price > 4"} {
		if _, err := answer(t, ses, text); err != nil {
			t.Fatal(err)
		}
	}
	got, err := answer(t, ses, "SELECT count(*) AS n FROM DEAR")
	if err != nil || got != "n\n1\n" || !ses.HasView("dEAR") || !slices.Equal(ses.Views(), []string{"dear"}) {
		t.Errorf("the answer is %q, error %v, views %q", got, err, ses.Views())
	}
	columns, err := ses.Columns(t.Context(), "FROM dear")
	if err != nil || !slices.Equal(columns, []string{"city", "price"}) {
		t.Errorf("the columns are %q, error %v", columns, err)
	}
	got, err = answer(t, ses, "DESCRIBE FROM dear")
	if err != nil || got != "column_name,column_type\ncity,VARCHAR\nprice,BIGINT\n" {
		t.Errorf("DESCRIBE answers %q, error %v", got, err)
	}
}

func TestFaults(t *testing.T) {
	ses := over(memory("/sales.csv", sales))
	for text, want := range map[string]struct {
		kind  fault.Kind
		place string // the part of the statement; "": none is known
	}{
		"SELECT cty FROM sales":                {fault.Usage, "cty"},
		"SELECT city FROM nowhere":             {fault.Usage, "nowhere"},
		"FROM '/none.csv'":                     {fault.Input, ""},
		"FROM '/none*.csv'":                    {fault.Input, "'/none*.csv'"},
		"SELECT CAST(city AS INT) FROM sales":  {fault.Failed, ""},
		"COPY (FROM sales) TO '/x'":            {fault.Usage, "COPY"},
		"EXPLAIN FROM sales":                   {fault.Usage, ""},
		"CREATE VIEW v AS FROM '-'":            {fault.Usage, "'-'"},
		"SELECT sum(price) OVER (ORDER FROM 1": {fault.Usage, "ORDER"},
	} {
		_, err := answer(t, ses, text)
		var got *fault.Error
		if !errors.As(err, &got) {
			t.Errorf("%s: error %v", text, err)
			continue
		}
		at, known := got.Place()
		if got.Kind != want.kind || known != (want.place != "") || known && text[at.Begin:at.End] != want.place {
			t.Errorf("%s: kind %d, place %v (%v); want kind %d at %q", text, got.Kind, at, known, want.kind, want.place)
		}
	}
}

func TestNotices(t *testing.T) {
	var got []session.Notice
	fs := memory("/plain.csv", "1,2\n3,4\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", MaxRejects: -1, Notice: func(n session.Notice) { got = append(got, n) }})
	if _, err := answer(t, ses, "FROM '/plain.csv'"); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Loss || !strings.Contains(got[0].Text, "plain.csv: without a header") {
		t.Errorf("the notices are %v", got)
	}
	if _, err := ses.Columns(t.Context(), "FROM '/plain.csv'"); err != nil || len(got) != 1 {
		t.Errorf("error %v, notices %v", err, got)
	}
	if names, err := fs.(*vfs.Mem).List("/spill"); err != nil || len(names) > 0 {
		t.Errorf("%q is left behind, error %v", names, err)
	}
}

// A value that fails on a worker is the same error as one that fails here.
func TestFaultOnCluster(t *testing.T) {
	gateway, stop := startCluster()
	defer stop()
	c, err := client.New(client.Config{Gateways: []string{gateway}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	ses := over(memory("/sales.csv", sales))
	for text, want := range map[string]error{
		"SELECT CAST(city AS INT) FROM sales":                                      expr.ErrCast,
		"SELECT CAST(max(city) AS INT) FROM sales":                                 expr.ErrCast,
		"SELECT sum(price) * 9223372036854775807 * 9223372036854775807 FROM sales": expr.ErrOverflow,
		"SELECT sqrt(-price) FROM sales":                                           expr.ErrNoNumber,
	} {
		asked, err := ses.Prepare(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = asked.RunOn(t.Context(), c, new(counter))
		var got *fault.Error
		if !errors.Is(err, want) || !errors.As(err, &got) || got.Kind != fault.Failed || got.Hint == "" {
			t.Errorf("%s: error %v", text, err)
		}
		if err := asked.Close(); err != nil {
			t.Error(err)
		}
	}
}
