package scalar

import (
	"analyzer/columnar"
	"analyzer/operators/expr"
	"analyzer/operators/query/sql"
	"analyzer/operators/registry"
)

func init() { Functions.Add(moreTextFunctions) }

// bytesIn is a number of bytes in a text: a number times a power that its unit says. Of no unit it fails.
const bytesIn = "CAST(floor(CAST(regexp_extract(text, '^\\s*([0-9.]+(e[0-9]+)?)', 1, 'i') AS DOUBLE) * " +
	"pow(CASE WHEN regexp_matches(text, '[a-z]i', 'i') THEN 1024 ELSE 1000 END, " +
	"CASE lower(regexp_extract(text, '[0-9.]\\s*([kmgt]i?b?|b|bytes?)\\s*$', 1, 'i'))[1] " +
	"WHEN 'b' THEN 0 WHEN 'k' THEN 1 WHEN 'm' THEN 2 WHEN 'g' THEN 3 WHEN 't' THEN 4 ELSE CAST('unit of ' || text AS BIGINT) END)) AS BIGINT)"

func moreTextFunctions() []Function {
	texts := in(registry.Texts)
	return []Function{
		texts.made("hex to_hex", "(text, blob or integer)", "the bytes of a text or a BLOB, or an integer, in hexadecimal digits", "hex('é')", "C3A9", either(expr.OpHexInt, expr.OpHex)).Taking(1, 1),
		texts.made("bin to_binary", "(text or integer)", "the bytes of a text, or an integer, in binary digits", "bin(10)", "1010", either(expr.OpBinInt, expr.OpBin)),
		texts.made("to_base", "(integer, base[, digits])", "an integer in a base from 2 to 36, with at least so many digits", "to_base(255, 16)", "FF", func(c rowCall) Value {
			return c.withDefaults(IntOf(expr.Int(0)), 3).as(expr.OpToBase)
		}),
		texts.made("format_bytes formatreadablesize pg_size_pretty", "(bytes)", "so many bytes in the unit that fits, of 1024 each", "format_bytes(16384)", "16.0 KiB", bytesOf(1024)),
		texts.made("formatreadabledecimalsize", "(bytes)", "so many bytes in the unit that fits, of 1000 each", "formatreadabledecimalsize(16000)", "16.0 kB", bytesOf(1000)),
		texts.formula("parse_formatted_bytes", "text", bytesIn, "the bytes that format_bytes shows: KB and its like are of 1000, KiB and its like of 1024 each", "parse_formatted_bytes('16 KiB')", "16384"),
		texts.made("bar", "(number, least, most[, width])", "a bar that shows where a number lies between two others, 80 characters wide by default", "bar(5, 0, 20, 10)", "██▌       ", func(c rowCall) Value {
			return c.withDefaults(IntOf(expr.Int(80)), 4).as(expr.OpBar)
		}),
		texts.made("strlen octet_length", "(text or blob)", "the number of bytes", "strlen('é')", "2", func(c rowCall) Value { return byteLength(c, 1) }),
		texts.made("bit_length", "(text)", "the number of bits", "bit_length('é')", "16", func(c rowCall) Value { return byteLength(c, 8) }),
		texts.made("substring_grapheme", "(text, first[, length])", "the part of a text from a position on, in graphemes", "substring_grapheme('Köln', 2, 2)", "öl", func(c rowCall) Value {
			return c.withDefaults(IntOf(expr.Int(1<<40)), 3).as(expr.OpSubGrapheme)
		}),
		texts.made("left_grapheme", "(text, length)", "the first graphemes of a text; all but so many from the end if the number is negative", "left_grapheme('Köln', 2)", "Kö", func(c rowCall) Value {
			text, n := c.args[0].As(columnar.Text), c.args[1].As(columnar.Int)
			n = expr.If(expr.Lt(n, expr.Int(0)), expr.Call(expr.OpGreatest, expr.Add(expr.Call(expr.OpGraphemes, text), n), expr.Int(0)), n)
			return TextOf(expr.Call(expr.OpSubGrapheme, text, expr.Int(1), n))
		}),
		texts.made("right_grapheme", "(text, length)", "the last graphemes of a text; all but so many from the beginning if the number is negative", "right_grapheme('Köln', 2)", "ln", func(c rowCall) Value {
			text, n := c.args[0].As(columnar.Text), c.args[1].As(columnar.Int)
			all := expr.Call(expr.OpGraphemes, text)
			skipped := expr.If(expr.Lt(n, expr.Int(0)), expr.Sub(expr.Int(0), n), expr.If(expr.Lt(n, all), expr.Sub(all, n), expr.If(expr.IsNull(n), n, expr.Int(0))))
			return TextOf(expr.Call(expr.OpSubGrapheme, text, expr.Add(skipped, expr.Int(1)), expr.Int(1<<40)))
		}),
		texts("parse_filename", "(path[, without extension][, separators])", "the name of a file, with its extension or without; the separators of the path are 'both_slash', 'forward_slash', 'backslash' or 'system'", "parse_filename('data/sales.csv', true)", "sales", bindFileName),
		texts("parse_dirpath", "(path[, separators])", "the path of the directory of a file", "parse_dirpath('data/2024/sales.csv')", "data/2024", bindPath(expr.OpDirPath, columnar.Text)),
		texts("parse_dirname", "(path[, separators])", "the topmost directory of a path", "parse_dirname('data/2024/sales.csv')", "data", bindPath(expr.OpDirName, columnar.Text)),
		texts("parse_path", "(path[, separators])", "the directories of a path and its file", "parse_path('data/2024/sales.csv')", `["data", "2024", "sales.csv"]`, bindPath(expr.OpPath, columnar.TextList)),
		texts("regexp_extract_all", "(text, pattern[, group[, options]])", "a list of all matches of a regular expression, or of a group of them", "regexp_extract_all('a1b22', '[0-9]+')", `["1", "22"]`, bindRegexpExtract(expr.OpRegexpAll)),
		texts("string_split_regex regexp_split_to_array str_split_regex", "(text, pattern[, options])", "the parts of a text between matches of a regular expression", "string_split_regex('a1b22c', '[0-9]+')", `["a", "b", "c"]`, bindRegexpSplit),
		texts("regexp_escape", "(text)", "a regular expression that matches this text only", "regexp_escape('a.b')", `a\.b`, bindRegexpEscape),
		texts("printf", "(form[, value, …])", "the form, with the values in the places of %d, %s, %.2f and the like", "printf('%05d %s', 42, 'a')", "00042 a", bindForm(expr.OpPrintf, expr.ParsePrintf, "Next: write %% for a per cent sign.")),
		texts("format", "(form[, value, …])", "the form, with the values in the places of {}, {1} or {:.2f} and the like", "format('{}: {:,}', 'a', 1234567)", "a: 1,234,567", bindForm(expr.OpFormat, expr.ParseBraces, "Next: write {{ and }} for braces.")),
	}
}

// withDefaults returns the call with a value for each argument that it lacks of n.
func (c rowCall) withDefaults(value Value, n int) rowCall {
	for len(c.args) < n {
		c.args = append(c.args, value)
	}
	return c
}

// either binds an operation on an integer, and another one on a text.
func either(ofInt, ofText expr.Op) func(c rowCall) Value {
	return func(c rowCall) Value {
		if t := c.args[0].Type; (t == columnar.Int || t == columnar.Huge) && !c.args[0].Null {
			return c.as(ofInt)
		}
		return c.as(ofText)
	}
}

func bytesOf(unit int64) func(c rowCall) Value {
	return func(c rowCall) Value {
		return c.withDefaults(IntOf(expr.Int(unit)), 2).as(expr.OpFormatBytes)
	}
}

func byteLength(c rowCall, unit int64) Value {
	hex := expr.Call(expr.OpLength, c.as(expr.OpHex).Expr)
	if unit == 8 {
		return IntOf(expr.Mul(hex, expr.Int(4)))
	}
	return IntOf(expr.IntDiv(hex, expr.Int(2)))
}

func bindRegexpSplit(s *Scope, e *sql.Expr) Value {
	text := s.text(e.Args[0])
	pattern, _ := regexpOf(s, e.Args[1], optional(e, 2), "")
	all := expr.Call(expr.OpRegexpSplit, text, pattern)
	if pattern.Literal() == nil { // as string_split has it, what has no pattern is one part
		whole := unlessNull(text, expr.Call(expr.OpListOf, text), columnar.TextList)
		all = expr.If(expr.IsNull(pattern), whole, all)
	}
	return Value{Expr: all, Type: columnar.TextList}
}

// special are the characters that RE2's QuoteMeta escapes, in classes: all but letters, digits, _
// and what is not ASCII.
const special = `([^A-Za-z0-9_\x{80}-\x{10FFFF}])`

func bindRegexpEscape(s *Scope, e *sql.Expr) Value {
	return TextOf(escaped(s.text(e.Args[0])))
}

// escaped is the regular expression that matches a text only.
func escaped(text *expr.Expr) *expr.Expr {
	return expr.Call(expr.OpRegexpReplace, text, expr.Str(special), expr.Str(`\\\1`), expr.Bool(true))
}

// bindForm binds printf or format. A form that is known beforehand becomes a concatenation, and each of its
// values is computed only if it stands in the form.
func bindForm(op expr.Op, parse func(form string) ([]expr.Piece, error), hint string) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		form := s.text(e.Args[0]).Fold()
		literal := form.Literal()
		if literal == nil {
			return printed(s, op, form, e.Args[1:])
		}
		all, err := parse(literal.Text)
		if err != nil {
			panic(sql.Wrong(e.Args[0].At, hint, "%v", err))
		}
		p := pieces{e: e, s: s}
		for _, piece := range all {
			if piece.Of < 0 {
				p.text(piece.Text)
			} else {
				p.value(piece)
			}
		}
		return p.joined()
	}
}

// printed is printf or format with a form that differs from row to row.
func printed(s *Scope, op expr.Op, form *expr.Expr, values []*sql.Expr) Value {
	args := []*expr.Expr{form}
	for _, e := range values {
		v := s.Expr(e)
		of := AsText(v)
		switch {
		case v.Null:
		case v.Type == columnar.Int || v.Type == columnar.Bool:
			of = v.Expr
		case IsNumber(v.Type):
			of = expr.ToFloat(v.Expr)
		}
		args = append(args, of, AsText(v))
	}
	return TextOf(expr.Call(op, args...))
}

// pieces are the pieces of a form, of which some are values.
type pieces struct {
	e   *sql.Expr
	s   *Scope
	all []Value
}

func (p *pieces) text(text string) {
	p.all = append(p.all, TextOf(expr.Str(text)))
}

// value adds a value in a format.
func (p *pieces) value(piece expr.Piece) {
	if piece.Of+1 >= len(p.e.Args) {
		panic(sql.Wrong(p.e.Args[0].At, "", "the form has more places than there are values"))
	}
	v := p.s.Expr(p.e.Args[piece.Of+1])
	if v.Written || v.Null {
		v = Value{Expr: v.As(columnar.Text), Type: columnar.Text, At: v.At}
	}
	if piece.Text == "" {
		p.all = append(p.all, v)
		return
	}
	of := piece.Format.Of()
	if of == columnar.Int && v.Type == columnar.Bool {
		v.Expr, v.Type = expr.Call(expr.OpToInt, v.Expr), columnar.Int
	}
	switch {
	case of == columnar.Float && IsNumber(v.Type), of == columnar.Invalid && IsNumber(v.Type) && v.Type != columnar.Int:
		v.Expr, v.Type = expr.ToFloat(v.Expr), columnar.Float
	case of == columnar.Text || v.Type != columnar.Int && v.Type != columnar.Float && of == columnar.Invalid:
		v.Expr, v.Type = AsText(v), columnar.Text
	case of != columnar.Invalid && of != v.Type:
		panic(sql.Wrong(v.At, "", "the format %s is of a %s, and this is %s", sql.QuoteText(piece.Text), TypeName(of), TypeName(v.Type)))
	}
	p.all = append(p.all, TextOf(expr.Call(expr.OpFormatted, v.Expr, expr.Str(piece.Text))))
}

func (p *pieces) joined() Value {
	if len(p.all) == 0 {
		return TextOf(expr.Str(""))
	}
	return concat(p.all)
}

// bindPath binds a function of a path and of the name of its separators.
func bindPath(op expr.Op, gives columnar.Type) Binding {
	return func(s *Scope, e *sql.Expr) Value {
		return Value{Expr: expr.Call(op, s.text(e.Args[0]), separatorsOf(s, e.Args[1:])), Type: gives}
	}
}

func bindFileName(s *Scope, e *sql.Expr) Value {
	path, without, rest := s.text(e.Args[0]), expr.Bool(false), e.Args[1:]
	if len(rest) == 2 || len(rest) == 1 && s.Expr(rest[0]).Type == columnar.Bool {
		without, rest = s.ValueOf(rest[0], columnar.Bool), rest[1:]
	}
	return TextOf(expr.Call(expr.OpFileName, path, without, separatorsOf(s, rest)))
}

// separatorsOf are the separators of paths that an argument names, both slashes if there is none.
func separatorsOf(s *Scope, args []*sql.Expr) *expr.Expr {
	if len(args) == 0 {
		return expr.Str(`/\`)
	}
	name := s.LiteralText(args[0], "the name of the separators")
	separators := map[string]string{"both_slash": `/\`, "forward_slash": "/", "backslash": `\`, "system": "/"}[name]
	if separators == "" {
		panic(sql.Wrong(args[0].At, "There are both_slash, forward_slash, backslash and system, which is forward_slash.", "there are no separators %q of paths", name))
	}
	return expr.Str(separators)
}
