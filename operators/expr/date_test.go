package expr

import (
	"encoding/json"
	"math/big"
	"testing"

	"analyzer/columnar"
)

func TestDates(t *testing.T) {
	days := []datum{big.NewInt(-1), big.NewInt(0), nil, big.NewInt(18321)}
	others := []datum{big.NewInt(-1), big.NewInt(7), big.NewInt(7), nil}
	s := columnar.Schema{{Name: "day", Type: columnar.Date}, {Name: "other", Type: columnar.Date}}
	cols := []*columnar.Vector{vectorOf(columnar.Date, days, false), vectorOf(columnar.Date, others, false)}
	day, other, epoch := Col("day"), Col("other"), Date(0)
	for _, c := range []struct {
		e    *Expr
		want string
	}{
		{Lt(day, epoch), "true false null false"},
		{Ge(epoch, day), "true true null false"},
		{Eq(day, other), "true false null null"},
		{between(day, Date(-1), epoch), "true true null false"},
		{IsNull(day), "false false true false"},
		{Year(day), "1969 1970 null 2020"},
		{Year(Null(columnar.Date)), "null null null null"},
	} {
		ev, err := Compile(c.e, s, testEnv())
		if err != nil {
			t.Errorf("%s: %v", c.e, err)
			continue
		}
		for range 2 {
			v, err := ev.Eval(cols, len(days))
			if err != nil {
				t.Fatalf("%s: %v", c.e, err)
			}
			got := ""
			for i := range v.Len {
				if i > 0 {
					got += " "
				}
				got += show(datumAt(v, i))
			}
			if got != c.want {
				t.Errorf("%s is %s, want %s", c.e, got, c.want)
			}
		}
	}
	if got := Year(Date(18321)).Fold().String(); got != "2020" {
		t.Errorf("year of a literal folds to %s", got)
	}
	if typ, err := Lt(day, Int(3)).TypeOf(s); err == nil {
		t.Errorf("a date and an int compare to %s", typ)
	}
}

func TestDateLiterals(t *testing.T) {
	e, err := ParseValue(columnar.Date, " 2020-02-29 ")
	if err != nil || e.String() != "'2020-02-29'::date" || e.Value.Int != 18321 || e.Validate() != nil {
		t.Errorf("%s, %v", e, err)
	}
	if _, err := ParseValue(columnar.Date, "2021-02-29"); err == nil || err.Error() != `"2021-02-29" is not a date: expected one such as 1970-01-01` {
		t.Errorf("a day that no calendar has: %v", err)
	}
	data, err := json.Marshal(e)
	if want := `{"op":"literal","value":{"type":"date","int":18321}}`; err != nil || string(data) != want {
		t.Errorf("%s, %v, want %s", data, err, want)
	}
	var back Expr
	if err := json.Unmarshal(data, &back); err != nil || back.String() != e.String() {
		t.Errorf("%s came back as %s, %v", e, &back, err)
	}
}
