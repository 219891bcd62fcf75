package sql

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"analyzer/columnar/budget"
)

// maxText is how long a text of statements may be, in bytes.
const maxText = 1 << 20

// ReadText reads a text of statements to its end, and refuses one of more than 1 MiB.
func ReadText(r io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("the text is longer than the %d bytes that statements may have", maxText)
	}
	return string(text), err
}

// maxDepth is how deep expressions and queries may be nested.
const maxDepth = 150

// maxTypes is how deep types may stand in each other: each reads again what stands in it.
const maxTypes = 10

// maxChain is how many operators may follow each other without parentheses. Each lies within
// the next, so what walks over an expression goes as deep.
const maxChain = 5000

// Parse reads one statement, which may end with a semicolon.
func Parse(work *budget.Work, src string) (st *Statement, err error) {
	defer Catch(&err)
	p := newParser(work, src)
	st = p.statement()
	for p.accept(";") {
	}
	if t := p.peek(); t.kind != endOfText {
		if p.at > 0 && p.tokens[p.at-1].is(";") {
			return nil, Wrong(t.at, "Next: give one statement at a time.", "there is a second statement")
		}
		return nil, p.unexpected(theEnd)
	}
	return st, nil
}

// ParseExpr reads one expression.
func ParseExpr(work *budget.Work, src string) (e *Expr, err error) {
	defer Catch(&err)
	p := newParser(work, src)
	if e = p.expr(); p.peek().kind != endOfText {
		return nil, p.unexpected("the end of the expression")
	}
	return e, nil
}

// TypeField is a field of a type of structs, with the name of its type.
type TypeField struct{ Name, Type string }

// TypeName returns the name of a type as the text of a cast has it, in capitals and with the usual spaces; "" if
// a text names none.
func TypeName(text string) (name string) {
	var mistake error // whoever needs a type says what is wrong
	defer Catch(&mistake)
	p := newParser(nil, text)
	if n := p.typeName(); p.peek().kind == endOfText {
		name = n
	}
	return name
}

// StructFields returns the fields of a type of structs as the text of a cast names it; nil if it is none.
func StructFields(name string) (fields []TypeField) {
	if !inType(name, structType, func(p *parser) {
		fields = commas(p, func() TypeField { return TypeField{p.name("the name of a field"), p.typeName()} })
	}) {
		return nil
	}
	return fields
}

// MapTypes returns the types of the keys and the values of a type of maps as the text of a cast names it;
// ok is false if it is none.
func MapTypes(name string) (key, value string, ok bool) {
	ok = inType(name, mapType, func(p *parser) {
		key = p.typeName()
		p.expect(",")
		value = p.typeName()
	})
	return key, value, ok
}

// inType reads what stands in the parentheses of a type's name, and reports whether the name begins so and
// ends with them.
func inType(name, begin string, read func(p *parser)) (whole bool) {
	inside, begins := strings.CutPrefix(name, begin)
	inside, ends := strings.CutSuffix(inside, ")")
	if !begins || !ends {
		return false
	}
	var mistake error // whoever needs a type says what is wrong
	defer Catch(&mistake)
	p := newParser(nil, inside)
	read(p)
	return p.peek().kind == endOfText
}

// What begins the names of types of structs and maps.
const (
	structType = "STRUCT("
	mapType    = "MAP("
)

// Split cuts a text at the semicolons between statements. It returns the complete
// statements, each with its semicolon, and the rest after the last one. What begins with a
// point is a command up to the end of its line, without a semicolon.
func Split(src string) (statements []string, rest string) {
	l, begin, empty := lexer{src: src}, 0, true
	for {
		from := l.at
		t, err := l.try()
		switch {
		case err != nil: // what is not a token is part of its statement, which parsing refuses
			if empty = false; l.at == from {
				l.at++
			}
		case t.kind == endOfText:
			if empty {
				return statements, ""
			}
			return statements, src[begin:]
		case t.is(".") && empty:
			line, _, _ := strings.Cut(src[t.at.Begin:], "\n")
			statements = append(statements, line)
			l.at = t.at.Begin + len(line)
			begin = l.at
		case t.is(";"):
			if !empty {
				statements = append(statements, src[begin:l.at])
			}
			begin, empty = l.at, true
		default:
			empty = false
		}
	}
}

// parser reads statements by recursive descent.
type parser struct {
	src    string
	tokens []token
	at     int
	depth  int
	types  int // how deep a type stands in others
	// preparing means that ? is a parameter, the next one after so many.
	preparing bool
	questions int
	// lambdaNext means that an arrow behind a name begins a lambda.
	lambdaNext bool
}

func newParser(work *budget.Work, src string) *parser {
	l := lexer{src: src}
	return &parser{src: src, tokens: l.all(work)}
}

func (p *parser) peek() token { return p.tokens[p.at] }

// ahead returns the token n places after the next one.
func (p *parser) ahead(n int) token { return p.tokens[min(p.at+n, len(p.tokens)-1)] }

func (p *parser) take() token {
	t := p.tokens[p.at]
	if t.kind != endOfText {
		p.at++
	}
	return t
}

// accept takes the words if all of them are next.
func (p *parser) accept(words ...string) bool {
	if !p.sees(words...) {
		return false
	}
	p.at += len(words)
	return true
}

func (p *parser) sees(words ...string) bool {
	for i, w := range words {
		if !p.ahead(i).is(w) {
			return false
		}
	}
	return true
}

// expect takes the words, or panics with the error that they are missing.
func (p *parser) expect(words ...string) {
	for _, w := range words {
		if !p.accept(w) {
			panic(p.unexpected(w))
		}
	}
}

// which takes and returns the first of the phrases that is next, or returns "".
func (p *parser) which(phrases ...string) string {
	for _, phrase := range phrases {
		if p.accept(strings.Fields(phrase)...) {
			return phrase
		}
	}
	return ""
}

// oneOf takes one of the phrases, or panics with the error that they are missing.
func (p *parser) oneOf(phrases ...string) string {
	found, last := p.which(phrases...), len(phrases)-1
	if found == "" {
		panic(p.unexpected(strings.Join(phrases[:last], ", ") + " or " + phrases[last]))
	}
	return found
}

// commas reads one or more items separated by commas, of which one may follow the last item.
func commas[T any](p *parser, one func() T) []T {
	all := []T{one()}
	for p.accept(",") && !p.endsList() {
		all = append(all, one())
	}
	return all
}

// endsList reports whether what is next stands behind a list.
func (p *parser) endsList() bool {
	t := p.peek()
	return t.kind == endOfText || t.isAny(")", ";", "FROM", "SELECT", "WHERE", "GROUP", "HAVING", "WINDOW", "QUALIFY", "UNION", "INTERSECT", "EXCEPT", "ORDER", "LIMIT", "FETCH", "OFFSET")
}

// parentheses reads an item in parentheses.
func parentheses[T any](p *parser, inside func() T) T {
	p.expect("(")
	v := inside()
	p.expect(")")
	return v
}

// after reads a word and the expression after it. It returns nil if the word is not next.
func (p *parser) after(word string) *Expr {
	if !p.accept(word) {
		return nil
	}
	return p.expr()
}

// last is the span of the token taken last.
func (p *parser) last() Span {
	if p.at == 0 {
		return Span{}
	}
	return p.tokens[p.at-1].at
}

func (p *parser) unexpected(wanted string) error {
	t := p.peek()
	switch {
	case t.kind == endOfText:
		return Wrong(t.at, p.instead(t, wanted), "the statement ends where %s should be", wanted)
	case t.is("SELECT") && p.at > 0 && p.tokens[p.at-1].is("("):
		return Wrong(t.at, "Next: write AS before the parentheses of the query.", "SELECT stands where %s should be", wanted)
	case t.kind == word && reserved(t.text) && strings.Contains(wanted, "name"):
		return Wrong(t.at, fmt.Sprintf("Next: write \"%s\" if it is a name.", t.text), "%s stands where %s should be", strings.ToUpper(t.text), wanted)
	}
	return Wrong(t.at, p.instead(t, wanted), "%q stands where %s should be", p.src[t.at.Begin:t.at.End], wanted)
}

// deeper enters a level of nesting; the function that it returns leaves it.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		panic(Wrong(p.peek().at, "", "the statement is nested deeper than %d", maxDepth))
	}
	return func() { p.depth-- }
}

// taken takes the next token, which must be of one of the kinds; wanted names them in errors.
func (p *parser) taken(wanted string, kinds ...tokenKind) token {
	if !slices.Contains(kinds, p.peek().kind) {
		panic(p.unexpected(wanted))
	}
	return p.take()
}

// isName reports whether a token can be a name anywhere.
func (t token) isName() bool { return t.kind == quotedName || t.kind == word && !reserved(t.text) }

// name reads a name; what says whose it is, in errors.
func (p *parser) name(what string) string {
	if !p.peek().isName() {
		panic(p.unexpected(what))
	}
	return p.take().text
}

// names reads names of columns in parentheses.
func (p *parser) names() []string {
	name := func() string { return p.name("the name of a column") }
	return parentheses(p, func() []string { return commas(p, name) })
}
