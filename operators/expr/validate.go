package expr

import (
	"fmt"
	"math"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// MostParts is how many nodes a tree may have that Validate accepts. A shared node counts each
// time it is used.
const MostParts = 10_000

// MostBytes is how many bytes the names and texts of such a tree may take.
const MostBytes = 1 << 20

// MostDepth is how deep such a tree may be: a sum of as many values is, and a choice between them.
const MostDepth = 4000

// Validate checks a tree that came from outside: every node must be well formed, and the
// tree neither too deep nor too large. It does not check types; TypeOf does.
func (e *Expr) Validate() error {
	v := validator{}
	return v.visit(e, 1)
}

type validator struct{ nodes, bytes int }

func (v *validator) visit(e *Expr, depth int) error {
	if e == nil {
		return fmt.Errorf("an expression is missing")
	}
	if depth > MostDepth {
		return fmt.Errorf("the expression is nested deeper than %d", MostDepth)
	}
	if v.nodes++; v.nodes > MostParts {
		return fmt.Errorf("the expression has more than %d parts", MostParts)
	}
	if err := e.checkShape(); err != nil {
		return err
	}
	if v.bytes += e.Bytes(); v.bytes > MostBytes {
		return fmt.Errorf("the names and texts of the expression take more than %d bytes", MostBytes)
	}
	for _, a := range e.Args {
		if err := v.visit(a, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// Bytes is how many bytes the name or the text of a node itself takes.
func (e *Expr) Bytes() int {
	n := len(e.Name)
	if e.Value != nil {
		n += e.Value.size()
	}
	return n
}

// checkShape checks one node and how many arguments it has, but not the arguments.
func (e *Expr) checkShape() error {
	f := e.Op.find()
	switch leaf := e.Op == OpColumn || e.Op == OpLiteral || e.Op == OpVariable; {
	case leaf && len(e.Args) > 0:
		return fmt.Errorf("%s takes no arguments, not %d arguments", e.Op, len(e.Args))
	case leaf:
	case f == nil:
		return fmt.Errorf("there is no operation %q", e.Op)
	default:
		if err := f.checkArity(len(e.Args)); err != nil {
			return err
		}
	}
	for i, a := range e.Args {
		if a == nil {
			return fmt.Errorf("argument %d of %s is missing", i+1, e.Op)
		}
	}
	if f != nil && f.check != nil {
		if err := f.check(e.Args); err != nil {
			return fmt.Errorf("%s: %w", e.Op, err)
		}
	}
	switch named := e.Op == OpColumn || e.Op == OpVariable; {
	case named && e.Name == "":
		return fmt.Errorf("a %s has no name", e.Op)
	case !named && e.Name != "":
		return fmt.Errorf("%s has a name, %q", e.Op, e.Name)
	case !utf8.ValidString(e.Name):
		return fmt.Errorf("the name %q of a %s is not UTF-8", e.Name, e.Op)
	case (e.Op == OpLiteral || e.Op == OpVariable) != (e.Value != nil):
		return fmt.Errorf("a literal, and nothing else, has a value: %s", e.Op)
	case e.Op == OpVariable && !e.Value.Null:
		return fmt.Errorf("the variable %q has a value", e.Name)
	case e.Value != nil:
		return e.Value.check()
	}
	return nil
}

// check returns an error unless v holds exactly one value of its type.
func (v *Value) check() error {
	used := *v
	used.Type, used.Null = columnar.Invalid, false
	switch kind := v.Type.Kind(); {
	case !v.Type.Writable():
		return fmt.Errorf("there is no literal of type %s", v.Type)
	case (kind == columnar.KindList && v.Type != columnar.TextList || v.Type.IsNested()) && !v.Null:
		return fmt.Errorf("there is no literal of type %s but null", v.Type)
	case kind == columnar.KindBool:
		used.Bool = false
	case kind == columnar.KindInt64:
		used.Int = 0
	case kind == columnar.KindInt128:
		used.Int, used.High = 0, 0
	case kind == columnar.KindFloat64:
		used.Float = 0
	case kind == columnar.KindBytes:
		used.Text = ""
	default:
		used.Texts = nil
	}
	if !used.empty() || (v.Null && !v.empty()) {
		return fmt.Errorf("a literal of type %s holds another value as well", v.Type)
	}
	return v.checkContents()
}

func (v *Value) empty() bool {
	return !v.Bool && v.Int == 0 && v.High == 0 && v.Float == 0 && v.Text == "" && len(v.Texts) == 0
}

func (v *Value) checkContents() error {
	if math.IsNaN(v.Float) || math.IsInf(v.Float, 0) {
		return fmt.Errorf("the float literal %v is not finite", v.Float)
	}
	if v.Type.IsWide() && !number.HasDigits(v.wide(), v.Type.Digits()) {
		return fmt.Errorf("a literal of type %s has more than %d digits", v.Type, v.Type.Digits())
	}
	if !utf8.ValidString(v.Text) {
		return fmt.Errorf("the text literal %q is not UTF-8", v.Text)
	}
	if v.Type == columnar.Bytes {
		if _, ok := number.AppendUnescaped(nil, []byte(v.Text)); !ok {
			return fmt.Errorf("the literal %q of bytes is not written as these", v.Text)
		}
	}
	for _, t := range v.Texts {
		if !utf8.ValidString(t) {
			return fmt.Errorf("the text %q in a list literal is not UTF-8", t)
		}
	}
	return nil
}
