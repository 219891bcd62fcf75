package aggregate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/operators/expr"
)

// The functions over texts that carry sort values in front of the collected value. Each sort
// value is paired with the rest (expr.OpPair). The parameter has one letter per sort value: a
// for ascending, d for descending.
const (
	// StringAggBy concatenates the collected texts. Its parameter continues with a bar and the
	// separator.
	StringAggBy Func = "string_agg_by"
)

// ListOf returns the function that lists the collected values, of a type that has a list. One
// more value in front of each says whether it is null: 1 if so. A bool is collected as an int.
func ListOf(item columnar.Type) Func { return Func("list_" + item.String() + "s") }

func init() { functions.Add(collectedFunctions) }

func collectedFunctions() []function {
	return append([]function{
		{
			name: StringAggBy, param: func(p string) error { return checkDirections(collectedBy(p).letters) },
			forms: []form{collectedForm(columnar.Text, joinedTexts)},
		},
	}, listedFunctions()...)
}

func listedFunctions() []function {
	var all []function
	for _, list := range columnar.Lists() {
		all = append(all, function{name: ListOf(list.Item()), param: checkDirections, forms: []form{collectedForm(list, listedTexts)}})
	}
	return all
}

func collectedForm(gives columnar.Type, value func(*state, records, *columnar.Vector) error) form {
	f := textFunctions()[0].forms[0]
	f.gives, f.value = gives, value
	return f
}

func checkDirections(letters string) error {
	if len(letters) > 200 || strings.Trim(letters, "ad") != "" {
		return fmt.Errorf("%q does not say which values order upwards (a) and downwards (d)", letters)
	}
	return nil
}

// collected says how the texts of a function are ordered and joined.
type collected struct {
	letters, separator string
}

func (s *state) collected() collected {
	if s.agg.Func == StringAgg {
		return collected{separator: s.agg.Param}
	}
	return collectedBy(s.agg.Param)
}

// collectedBy parses the parameter of a function over texts with sort values. Lists have no
// separator.
func collectedBy(param string) collected {
	letters, separator, _ := strings.Cut(param, "|")
	return collected{letters, separator}
}

// compare orders texts by their sort values, and then by the collected values.
func (c collected) compare(x, y []byte) int {
	for _, letter := range c.letters {
		var first, other []byte
		first, x = expr.CutPair(x)
		other, y = expr.CutPair(y)
		if n := bytes.Compare(first, other); n != 0 {
			if letter == 'd' {
				return -n
			}
			return n
		}
	}
	return bytes.Compare(x, y)
}

// behind returns a text without its sort values.
func (c collected) behind(text []byte) []byte {
	for range c.letters {
		_, text = expr.CutPair(text)
	}
	return text
}

// ordered calls each with the sorted texts of each group and their total size in bytes. each
// borrows the texts.
func (l *textList) ordered(r records, c collected, each func(texts [][]byte, size int) error) error {
	var texts [][]byte
	for _, ref := range r.refs {
		texts = texts[:0]
		size := 0
		err := l.texts(listOf(r, ref), func(text []byte) {
			texts = append(texts, text)
			size += len(text)
		})
		if err != nil {
			return err
		}
		slices.SortFunc(texts, c.compare)
		if err := each(texts, size); err != nil {
			return err
		}
	}
	return nil
}

func joinedTexts(s *state, r records, out *columnar.Vector) error {
	c := s.collected()
	var joined []byte
	return s.acc[0].(*textList).ordered(s.column(0, r), c, func(texts [][]byte, size int) error {
		if size += len(texts) * len(c.separator); len(out.Data)+size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		if len(texts) == 0 {
			out.AppendNull()
			return nil
		}
		joined = joined[:0]
		for i, text := range texts {
			if i > 0 {
				joined = append(joined, c.separator...)
			}
			joined = append(joined, c.behind(text)...)
		}
		out.AppendBytes(joined)
		return nil
	})
}

func listedTexts(s *state, r records, out *columnar.Vector) error {
	c, items := s.collected(), out.Child
	return s.acc[0].(*textList).ordered(s.column(0, r), c, func(texts [][]byte, size int) error {
		if len(items.Data)+size > columnar.MaxVectorBytes {
			return tooLong(size)
		}
		if len(texts) == 0 {
			out.AppendNull()
			return nil
		}
		for _, text := range texts {
			mark, value := expr.CutPair(c.behind(text))
			if expr.IsPairOf(mark, 1) {
				items.AppendNull()
			} else {
				expr.AppendPaired(items, value)
			}
		}
		out.EndList()
		return nil
	})
}
