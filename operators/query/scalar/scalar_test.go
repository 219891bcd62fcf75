package scalar_test

import (
	"context"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/operators/expr"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// row is a query of one row with the columns n BIGINT and s VARCHAR.
type row struct{}

func (row) Bind(e *sql.Expr, in *scalar.Scope) (scalar.Value, bool) {
	if e.Kind != sql.Column {
		return scalar.Value{}, false
	}
	t := map[string]columnar.Type{"n": columnar.Int, "s": columnar.Text}[e.Path[0]]
	if in.InLambda() && e.Path[0] == "s" {
		panic(sql.Wrong(e.At, "", "s within a lambda"))
	}
	return scalar.Value{Expr: expr.Col(e.Path[0]), Type: t, At: e.At}, true
}

func bound(t *testing.T, text string) (v scalar.Value, err error) {
	t.Helper()
	e, err := sql.ParseExpr(nil, text)
	if err != nil {
		t.Fatal(err)
	}
	defer sql.Catch(&err)
	st := scalar.NewStatement(budget.NewWork(context.Background(), 0), time.Date(2024, 2, 10, 0, 0, 0, 0, time.UTC))
	return st.NewScope(row{}).Expr(e), nil
}

func TestExpressionsAskTheirQuery(t *testing.T) {
	for text, want := range map[string]struct {
		is      columnar.Type
		printed string
	}{
		"n + 1":    {columnar.Int, "n + 1"},
		"upper(s)": {columnar.Text, "upper(s)"},
		"list_transform([n], lambda n: n || '!')": {columnar.ListOf(columnar.Text), ""},
		"today() - 1": {columnar.Date, ""},
		"n = '7'":     {columnar.Bool, "n = 7"},
	} {
		v, err := bound(t, text)
		if err != nil || v.Type != want.is {
			t.Errorf("%s is %s, %v; want %s", text, scalar.TypeName(v.Type), err, scalar.TypeName(want.is))
		}
		if printed := v.Expr.String(); err == nil && want.printed != "" && printed != want.printed {
			t.Errorf("%s became %s, want %s", text, printed, want.printed)
		}
	}
	if _, err := bound(t, "list_transform([n], lambda x: s)"); err == nil {
		t.Error("the query was not told that s stands in a lambda")
	}
}
