package engine_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/compose/engine"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
)

// dateTables returns a table of events, some of whose days are missing or not in the
// calendar, and a table of holidays.
func dateTables() plan.Tables {
	return plan.Tables{
		"events": {Name: "events", Columns: []columnar.TableColumn{
			{Name: "id", Header: "id", Format: columnar.FormatInt, Required: true},
			{Name: "day", Header: "day", Format: columnar.FormatDay},
		}},
		"holidays": {Name: "holidays", Columns: []columnar.TableColumn{
			{Name: "on", Header: "on", Format: columnar.FormatDay, Required: true},
			{Name: "name", Header: "name", Format: columnar.FormatText, Required: true},
		}},
	}
}

// dateQueries returns queries with every operation on dates.
func dateQueries(t *testing.T) []*plan.Query {
	literal, err := expr.ParseValue(columnar.Date, "1969-06-01")
	if err != nil {
		t.Fatal(err)
	}
	day := expr.Col("day")
	extremes := func(name string) []plan.Agg {
		return []plan.Agg{
			count(name), {Func: plan.Min, Args: []string{"day"}, Name: "first"}, {Func: plan.Max, Args: []string{"day"}, Name: "last"},
		}
	}
	queries := []*plan.Query{
		{Name: "sorted", Root: plan.From("events").Sort(plan.Order{Column: "day", Desc: true})},
		{Name: "compared", Root: plan.From("events").Filter(expr.And(expr.Ge(day, literal), expr.Ne(day, expr.Date(0)))).
			Aggregate(nil, extremes("n")...)},
		{Name: "grouped", Root: plan.From("events").Aggregate([]string{"day"}, count("n"))},
		{Name: "years", Root: plan.From("events").
			Project(plan.As("year", expr.Year(day)), plan.As("day", day)).Aggregate([]string{"year"}, extremes("n")...)},
		{Name: "joined", Root: plan.From("holidays").Join(plan.From("events"), plan.On("on", "day")).
			Aggregate([]string{"name", "on"}, count("n"))},
	}
	// A plan that comes from outside says the same.
	for i, q := range queries {
		data, err := json.Marshal(q)
		if err != nil {
			t.Fatal(err)
		}
		var read plan.Query
		if err := json.Unmarshal(data, &read); err != nil {
			t.Fatalf("%v in %s", err, data)
		}
		queries[i] = &read
	}
	return queries
}

// TestDatesAgreeWithTexts runs the same queries over days as dates and as texts of
// the same form, which have the same order, in memory and with spill.
func TestDatesAgreeWithTexts(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	files := map[string]string{"events": "id,day\n", "holidays": "on,name\n"}
	var events strings.Builder
	byYear, rows, missing := map[int]int{}, 20_000, 0
	for i := range rows {
		day := time.Unix(int64(random.IntN(4000)-2000)*86400, 0).UTC()
		cell := day.Format("2006-01-02")
		switch random.IntN(20) {
		case 0:
			cell = ""
		case 1:
			cell = "1970-02-30"
		}
		if cell == day.Format("2006-01-02") {
			byYear[day.Year()]++
		} else {
			missing++
		}
		fmt.Fprintf(&events, "%d,%s\n", i, cell)
	}
	files["events"] += events.String()
	for year := 1965; year < 1976; year++ {
		files["holidays"] += fmt.Sprintf("%d-01-01,new year\n%d-12-26,boxing day\n%d-02-29,leap day\n", year, year, year)
	}
	j := job{tables: dateTables(), queries: dateQueries(t), open: inMemory(t, files)}
	want := j.answer(t, engine.Options{Replicas: 1}).json
	for _, o := range []engine.Options{{Replicas: 3, BlockSize: 5000}, {Replicas: 2, Memory: 1 << 20}} {
		j.same(t, want, o)
	}

	answers := parse(t, want)
	var years struct{ Rows [][]any }
	if err := json.Unmarshal(answers["years"], &years); err != nil {
		t.Fatal(err)
	}
	if len(years.Rows) != len(byYear)+1 {
		t.Fatalf("%d years, want %d and none", len(years.Rows), len(byYear))
	}
	for _, row := range years.Rows {
		if row[0] == nil {
			if row[1] != float64(missing) || row[2] != nil || row[3] != nil {
				t.Errorf("without a day are %v, want %d", row[1:], missing)
			}
			continue
		}
		year := fmt.Sprint(row[0])
		if row[1] != float64(byYear[int(row[0].(float64))]) || !strings.HasPrefix(row[2].(string), year+"-") || !strings.HasPrefix(row[3].(string), year+"-") {
			t.Errorf("%v, want %d of the year", row, byYear[int(row[0].(float64))])
		}
	}

	// As texts, where a condition leaves out days that are not in the calendar.
	texts := j
	texts.tables = dateTables()
	for _, table := range texts.tables {
		for i, c := range table.Columns {
			if c.Format == columnar.FormatDay {
				table.Columns[i].Format = columnar.FormatDate
			}
		}
	}
	texts.open = inMemory(t, map[string]string{
		"events": strings.ReplaceAll(files["events"], "1970-02-30", ""), "holidays": dropLeapDays(files["holidays"]),
	})
	texts.queries = []*plan.Query{j.queries[0], j.queries[2], j.queries[4]}
	asTexts := parse(t, texts.answer(t, engine.Options{Replicas: 2}).json)
	for _, q := range texts.queries {
		if string(asTexts[q.Name]) != string(answers[q.Name]) {
			t.Errorf("%s differs from that over texts:\n%.300s\nnot\n%.300s", q.Name, answers[q.Name], asTexts[q.Name])
		}
	}
	if n := strings.Count(string(answers["joined"]), "leap day"); n != 2 {
		t.Errorf("%d leap days are joined, want those of 1968 and 1972", n)
	}
}

// dropLeapDays drops lines with days that the calendar does not have.
func dropLeapDays(holidays string) string {
	var kept []string
	for _, line := range strings.SplitAfter(holidays, "\n") {
		date, _, _ := strings.Cut(line, ",")
		if _, err := time.Parse("2006-01-02", date); err == nil || date == "on" {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}
