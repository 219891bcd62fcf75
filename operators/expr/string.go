package expr

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The precedences of operators. An operand that binds less tightly than its position
// requires is put in parentheses.
const (
	bindAny = iota
	bindOr
	bindAnd
	bindNot
	bindCompare
	bindBits
	bindAdd
	bindMul
	bindAtom
)

func binding(e *Expr) int {
	if f := e.Op.find(); f != nil && f.binds > 0 {
		return f.binds
	}
	return bindAtom
}

// String returns e in the style of SQL. It is deterministic, and expressions that print
// alike mean the same.
func (e *Expr) String() string {
	var b strings.Builder
	e.write(&b, bindAny)
	return b.String()
}

// maxMessage bounds the length of an expression in an error message.
const maxMessage = 300

// brief is String, shortened for error messages.
func (e *Expr) brief() string {
	s := e.String()
	if name, to := e.castName(); name != "" {
		s = name + "(" + e.Args[0].String() + " AS " + to + ")"
	}
	if len(s) <= maxMessage {
		return s
	}
	n := maxMessage
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// write prints e, in parentheses if its operator binds less tightly than least.
func (e *Expr) write(b *strings.Builder, least int) {
	if e == nil {
		b.WriteString("?")
		return
	}
	own := binding(e)
	if own < least {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	switch {
	case e.Op == OpColumn || e.Op == OpVariable:
		b.WriteString(quoteName(e.Name))
	case e.Op == OpLiteral && e.Value != nil:
		e.Value.write(b)
	case (e.Op == OpAnd || e.Op == OpOr) && len(e.Args) > 1:
		e.writeInfix(b, own+1, own+1)
	case e.Op == OpNot && len(e.Args) == 1:
		b.WriteString("not ")
		e.Args[0].write(b, bindCompare)
	case own == bindCompare && len(e.Args) == 2:
		e.writeInfix(b, own+1, own+1)
	case own > bindCompare && own < bindAtom && len(e.Args) == 2:
		e.writeInfix(b, own, own+1)
	case e.Op == OpIsNull && len(e.Args) == 1:
		e.Args[0].write(b, bindAdd)
		b.WriteString(" is null")
	case e.Op == OpElement && len(e.Args) == 2:
		e.Args[0].write(b, bindAtom)
		writeList(b, "[", e.Args[1:], "]")
	default:
		writeList(b, string(e.Op)+"(", e.Args, ")")
	}
}

func (e *Expr) writeInfix(b *strings.Builder, left, right int) {
	for i, a := range e.Args {
		if i == 0 {
			a.write(b, left)
			continue
		}
		fmt.Fprintf(b, " %s ", e.Op)
		a.write(b, right)
	}
}

func writeList(b *strings.Builder, open string, args []*Expr, closing string) {
	b.WriteString(open)
	for i, a := range args {
		if i > 0 {
			b.WriteString(", ")
		}
		a.write(b, bindAny)
	}
	b.WriteString(closing)
}

// write prints a literal so that its type shows.
func (v *Value) write(b *strings.Builder) {
	switch {
	case v.Null:
		fmt.Fprintf(b, "null::%s", nameOf(v.Type))
	case v.Type == columnar.Bool:
		b.WriteString(strconv.FormatBool(v.Bool))
	case v.Type == columnar.Int:
		b.WriteString(strconv.FormatInt(v.Int, 10))
	case v.Type == columnar.Decimal:
		b.WriteString(formatDecimal(v.Int))
	case v.Type == columnar.Float:
		b.WriteString(strconv.FormatFloat(v.Float, 'e', -1, 64))
	case v.Type == columnar.Text:
		b.WriteString(quoteText(v.Text))
	case v.Type == columnar.TextList:
		quoted := columnar.Each(v.Texts, quoteText)
		b.WriteString("[" + strings.Join(quoted, ", ") + "]")
	case v.Type.Kind() == columnar.KindInt64 || v.Type.Kind() == columnar.KindInt128 || v.Type == columnar.Bytes:
		out := columnar.NewVector(v.Type)
		v.appendTo(out)
		fmt.Fprintf(b, "%s::%s", quoteText(string(out.AppendText(nil, 0))), nameOf(v.Type))
	default:
		fmt.Fprintf(b, "?::%s", v.Type)
	}
}

func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quoteName puts a name in double quotes unless it is a plain word.
func quoteName(name string) string {
	for i, c := range []byte(name) {
		letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return `"` + strings.ReplaceAll(name, `"`, `""`) + `"`
		}
	}
	switch strings.ToLower(name) {
	case "", "and", "or", "not", "is", "null", "true", "false":
		return `"` + name + `"`
	}
	return name
}

// formatDecimal prints millionths with a decimal point.
func formatDecimal(scaled int64) string {
	text := string(number.AppendDecimal(nil, decimal128.FromI64(scaled)))
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}
