package scalar

import (
	"fmt"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(postgresFunctions) }

// postgresFunctions are functions of PostgreSQL that DuckDB has not.
func postgresFunctions() []Function {
	times := in(registry.Times)
	return []Function{
		times("to_char", "(timestamp or number, form)", "a timestamp as a text of a form as PostgreSQL has them: YYYY, MM, DD, HH24, MI, SS, FMMonth and others; a number by 9, 0, D, G, S, MI, PR and FM",
			"to_char(DATE '2024-02-10', 'DD.MM.YYYY')", "10.02.2024", orNull(bindToChar)),
		times("to_date", "(text, form)", "the DATE in a text of a form as PostgreSQL has them",
			"to_date('10.02.2024', 'DD.MM.YYYY')", "2024-02-10", orNull(bindToDate)),
		in(registry.Texts).formula("overlay", "text, new, first, length", "left(text, greatest(first - 1, 0)) || new || substr(text, first + coalesce(length, length(new)))",
			"a text with another one in place of so many characters, as many as the other has if that is not said; also overlay(text PLACING new FROM first FOR length)",
			"overlay('Bremen' PLACING 'eg' FROM 3 FOR 2)", "Bregen").used("overlay(text, new, first[, length])"),
		in(registry.Numbers).formula("width_bucket", "number, low, high, buckets",
			"CASE WHEN number IS NULL OR low IS NULL OR high IS NULL OR buckets IS NULL THEN NULL "+
				"WHEN CASE WHEN low < high THEN number < low ELSE number > low END THEN 0 "+
				"WHEN CASE WHEN low < high THEN number >= high ELSE number <= high END THEN buckets + 1 "+
				"ELSE CAST(floor((number - low) * buckets / (high - low)) AS BIGINT) + 1 END",
			"in which of so many equal parts between two numbers another one lies; 0 before the first and one more than the last behind it", "width_bucket(5.35, 0, 10, 5)", "3"),
	}
}

// bindToChar binds to_char as strftime, or of a number as the form of its digits.
func bindToChar(s *Scope, e *sql.Expr) Value {
	v := s.Expr(e.Args[0])
	if IsNumber(v.Type) && !v.Null {
		return numberToChar(s, e, v)
	}
	form := expr.Str(formOfTemplate(s, e.Args[1], false))
	return TextOf(expr.Call(expr.OpStrftime, TimestampOf(v.asTime()).Expr, form))
}

func numberToChar(s *Scope, e *sql.Expr, v Value) Value {
	text := s.LiteralText(e.Args[1], "a form")
	form, err := expr.ParseNumberForm(text)
	if err != nil {
		panic(sql.Wrong(e.Args[1].At, "There are 9, 0, a point or D, commas or G, blanks, FM at the beginning, S at either end, and MI or PR at the end; others are written by format('{:,.2f}', number).", "%v", err))
	}
	digits := fmt.Sprintf("CAST(round(number, %d) AS VARCHAR)", form.Behind())
	switch v.Type {
	case columnar.Float:
		digits = fmt.Sprintf("format('{:.%df}', number)", form.Behind())
	case columnar.Int, columnar.Huge:
		digits = "CAST(number AS VARCHAR)"
	}
	number := NewFormula("number", digits).Value(s.Statement, e.At, []Value{v})
	return TextOf(expr.Call(expr.OpNumberForm, number.Expr, expr.Str(text)))
}

// bindToDate binds to_date as strptime.
func bindToDate(s *Scope, e *sql.Expr) Value {
	form := expr.Str(formOfTemplate(s, e.Args[1], true))
	read := Value{Expr: expr.Call(expr.OpStrptime, s.text(e.Args[0]), form), Type: columnar.Timestamp}
	return Value{Expr: DateOf(read), Type: columnar.Date}
}

// template is a part of a form of PostgreSQL, and that of strftime. One of numbers may be in small letters.
type template struct{ part, form string }

// numberTemplates and nameTemplates are parts of forms, longer ones first:
// https://www.postgresql.org/docs/current/functions-formatting.html.
var (
	numberTemplates = []template{
		{"FMHH24", "%-H"},
		{"FMHH12", "%-I"},
		{"FMDDD", "%-j"},
		{"FMHH", "%-I"},
		{"FMMM", "%-m"},
		{"FMDD", "%-d"},
		{"FMMI", "%-M"},
		{"FMSS", "%-S"},
		{"IYYY", "%G"},
		{"YYYY", "%Y"},
		{"HH24", "%H"},
		{"HH12", "%I"},
		{"DDD", "%j"},
		{"YY", "%y"},
		{"MM", "%m"},
		{"DD", "%d"},
		{"HH", "%I"},
		{"MI", "%M"},
		{"SS", "%S"},
		{"MS", "%g"},
		{"US", "%f"},
		{"IW", "%V"},
	}
	nameTemplates = []template{{"FMMonth", "%B"}, {"FMDay", "%A"}, {"Mon", "%b"}, {"Dy", "%a"}, {"AM", "%p"}, {"PM", "%p"}}
)

// formOfTemplate returns the form for strftime, or for strptime if read is set, of one of PostgreSQL.
func formOfTemplate(s *Scope, e *sql.Expr, read bool) string {
	var form strings.Builder
	for rest := s.LiteralText(e, "a form"); rest != ""; {
		if text, quoted := strings.CutPrefix(rest, `"`); quoted {
			text, rest, _ = strings.Cut(text, `"`)
			form.WriteString(strings.ReplaceAll(text, "%", "%%"))
			continue
		}
		t, ok := templateAt(rest, read)
		switch {
		case ok:
			form.WriteString(t.form)
			rest = rest[len(t.part):]
		case rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z':
			panic(sql.Unsupported(e.At, `Next: write letters that stand for themselves in double quotes, "T"; for other parts write strftime or strptime.`, "forms with "+rest))
		case rest[0] == '%':
			form.WriteString("%%")
			rest = rest[1:]
		default:
			form.WriteByte(rest[0])
			rest = rest[1:]
		}
	}
	return form.String()
}

// templateAt returns the part of a form that a text begins with. Names are read in any case.
func templateAt(text string, read bool) (template, bool) {
	for _, t := range numberTemplates {
		if len(text) >= len(t.part) && strings.EqualFold(text[:len(t.part)], t.part) {
			return t, true
		}
	}
	for _, t := range nameTemplates {
		if read {
			t.part = strings.TrimPrefix(t.part, "FM")
		}
		if len(text) >= len(t.part) && (text[:len(t.part)] == t.part || read && strings.EqualFold(text[:len(t.part)], t.part)) {
			return t, true
		}
	}
	return template{}, false
}
