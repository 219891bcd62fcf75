package expr

import (
	"errors"
	"fmt"

	"analyzer/columnar"
)

// ErrPattern means that a row has a pattern, or a form, that is none.
var ErrPattern = errors.New("a pattern of a row is none")

// patterns gives what was made of the pattern of a row, such as a compiled regular expression or a parsed
// form. A literal is parsed when its expression is compiled; of the patterns of rows the last one and some
// before it are remembered. It belongs to one kernel.
type patterns[T any] struct {
	parse func(text string) (made T, size int, err error) // size is about how many bytes it holds
	arg   int                                             // the argument with the patterns
	each  bool                                            // each row has one; otherwise there is one literal
	last  string
	made  T            // of the last one
	known map[string]T // nil before the first row
	size  int          // what all that are known hold
}

// What is remembered of patterns is forgotten beyond these bounds.
const (
	mostPatterns     = 1024
	mostPatternBytes = 4 << 20
)

// patternsOf returns the patterns of argument i, or an error if that is a literal and no such pattern.
func patternsOf[T any](b *build, i int, parse func(text string) (made T, size int, err error)) (*patterns[T], error) {
	v := b.literal(i)
	if v == nil {
		return &patterns[T]{parse: parse, arg: i, each: true}, nil
	}
	made, _, err := parse(v.Text)
	return &patterns[T]{last: v.Text, made: made}, err
}

// kernel returns a kernel that calls a function for each row that is not null, with what was made of its
// pattern.
func (p *patterns[T]) kernel(row func(made T, out *result, args []*columnar.Vector, i int) error) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			if p.each {
				if err := p.find(args[p.arg].Bytes(i)); err != nil {
					return err
				}
			}
			if err := row(p.made, out, args, i); err != nil {
				return err
			}
		}
		return nil
	}
}

// find sets what was made of a pattern.
func (p *patterns[T]) find(pattern []byte) error {
	if p.known != nil && string(pattern) == p.last {
		return nil
	}
	made, ok := p.known[string(pattern)]
	text := string(pattern)
	if !ok {
		var size int
		var err error
		if made, size, err = p.parse(text); err != nil {
			return fmt.Errorf("%w: %w", ErrPattern, err)
		}
		p.remember(text, made, size+2*len(text))
	}
	p.last, p.made = text, made
	return nil
}

func (p *patterns[T]) remember(text string, made T, size int) {
	if p.known == nil || len(p.known) == mostPatterns || p.size+size > mostPatternBytes {
		p.known, p.size = make(map[string]T), 0
	}
	p.known[text] = made
	p.size += size
}

// dropLiterals drops the literals behind the last argument that varies by row: the kernel was built with
// them.
func (b *build) dropLiterals() {
	last := len(b.args) - 1
	for last > 0 && b.literal(last) != nil {
		last--
	}
	b.args = b.args[:last+1]
}
