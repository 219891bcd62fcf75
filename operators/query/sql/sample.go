package sql

import "strings"

// Sample says how many rows of a table are read.
type Sample struct {
	At      Span
	Method  string // BERNOULLI, SYSTEM or RESERVOIR
	Size    *Expr  // a number
	Percent bool   // of the rows; false: that many rows
	Seed    *Expr  // nil: 0
}

// sample reads what follows TABLESAMPLE or USING SAMPLE: a method with a size in parentheses, or a
// size with perhaps a method and a seed behind it.
func (p *parser) sample() *Sample {
	s := &Sample{At: p.peek().at}
	if p.peek().kind == word && p.ahead(1).is("(") {
		s.Method = strings.ToUpper(p.take().text)
	}
	if p.sees("(") {
		parentheses(p, func() bool { p.sampleSize(s); return true })
	} else {
		p.sampleSize(s)
		if p.accept("(") {
			s.Method = strings.ToUpper(p.name("the name of a method"))
			if p.accept(",") {
				s.Seed = p.expr()
			}
			p.expect(")")
		}
	}
	if p.accept("REPEATABLE") {
		s.Seed = parentheses(p, p.expr)
	}
	s.At = s.At.Join(p.last())
	s.complete()
	return s
}

func (p *parser) sampleSize(s *Sample) {
	t := p.taken("a number", number)
	s.Size = &Expr{Kind: Number, Text: t.text, At: t.at}
	unit := p.which("%", "PERCENT", "ROWS")
	s.Percent = unit == "%" || unit == "PERCENT" || unit == "" && (s.Method == "BERNOULLI" || s.Method == "SYSTEM")
}

// complete chooses a method where none is written, and checks that it takes the size.
func (s *Sample) complete() {
	switch {
	case s.Method == "" && s.Percent:
		s.Method = "SYSTEM"
	case s.Method == "":
		s.Method = "RESERVOIR"
	case s.Method != "BERNOULLI" && s.Method != "SYSTEM" && s.Method != "RESERVOIR":
		panic(Wrong(s.At, "There are bernoulli, system and reservoir.", "there is no way %q to take a sample", strings.ToLower(s.Method)))
	case s.Method != "RESERVOIR" && !s.Percent:
		panic(Wrong(s.At, "Next: write a percentage, or reservoir.", "%s samples are parts of a table", strings.ToLower(s.Method)))
	}
}

func (s *Sample) text() string {
	unit := " ROWS"
	if s.Percent {
		unit = " PERCENT"
	}
	text := s.Method + " (" + s.Size.String() + unit + ")"
	if s.Seed != nil {
		text += " REPEATABLE (" + s.Seed.String() + ")"
	}
	return text
}
