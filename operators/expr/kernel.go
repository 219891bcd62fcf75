package expr

import (
	"fmt"
	"iter"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// kernel computes a function for all rows of a batch. It fills out, which has a slot for
// each row, or no texts or items yet. out is already null where an argument is, unless the
// function sees nulls; the kernel may make more rows null. Slots of nulls may hold
// anything, but no text. An error says what is wrong with a row; call.eval adds which
// expression it is. A kernel does not change the values it was built with.
//
// Functions that return the closure of a hot loop must not be inlined (go:noinline): the
// compiler would copy the closure and inline nothing into the copy, which would then make
// a call for each row.
type kernel func(out *result, args []*columnar.Vector) error

// build is a call of a function that is being compiled to a kernel. The function that
// builds the kernel may change the arguments: convert them, or drop literals.
type build struct {
	expr *Expr
	typ  columnar.Type // of the result
	args []operand
	env  *Env
}

// just builds the same kernel for all arguments.
//
//go:noinline
func just(k kernel) func(*build) (kernel, error) {
	return func(*build) (kernel, error) { return k, nil }
}

// perRow builds eachRow of the same function for all arguments.
func perRow(row rowFunc) func(*build) (kernel, error) { return just(eachRow(row)) }

// literal returns argument i if it is a literal that is not null, and nil otherwise.
func (b *build) literal(i int) *Value { return b.args[i].value }

// keep drops all arguments of the kernel but argument i.
func (b *build) keep(i int) { b.args = b.args[i : i+1] }

// convert converts all arguments to one numeric type.
func (b *build) convert(t columnar.Type) {
	for i, a := range b.args {
		b.args[i] = convert(a, t, b.expr)
	}
}

// widen converts all arguments, which are exact numbers, to 128 bits without loss.
func (b *build) widen() {
	for i, a := range b.args {
		if a.typ.Kind() != columnar.KindInt128 {
			b.args[i] = convert(a, Wider(a.typ, columnar.Huge), b.expr)
		}
	}
}

// rescale converts all arguments, which are exact numbers, to 128 bits with the places of a type.
func (b *build) rescale(t columnar.Type) {
	for i, a := range b.args {
		if a.typ.Kind() != columnar.KindInt128 || a.typ.Scale() != t.Scale() {
			b.args[i] = convert(a, t, b.expr)
		}
	}
}

// has128 reports whether an argument is a number of 128 bits.
func (b *build) has128() bool {
	return slices.ContainsFunc(b.args, func(a operand) bool { return a.typ.Kind() == columnar.KindInt128 })
}

func (b *build) has(t columnar.Type) bool {
	return slices.ContainsFunc(b.args, func(a operand) bool { return a.typ == t })
}

// call is the node that runs a kernel.
type call struct {
	result
	typ  columnar.Type
	expr *Expr // for errors
	args []node
	vecs []*columnar.Vector // the arguments' values
	run  kernel
	// seesNulls means that the result is not simply null where an argument is.
	seesNulls bool
	varies    bool // whether it makes texts or lists
}

func newCall(t columnar.Type, run kernel, e *Expr, args ...operand) *call {
	c := &call{typ: t, expr: e, run: run, vecs: make([]*columnar.Vector, len(args)), varies: t.Kind() == columnar.KindBytes || t.Kind() == columnar.KindList}
	for _, a := range args {
		c.args = append(c.args, a.node)
	}
	return c
}

func (c *call) eval(in *input) (*columnar.Vector, error) {
	for i, a := range c.args {
		v, err := a.eval(in)
		if err != nil {
			return nil, err
		}
		c.vecs[i] = v
	}
	c.start(c.typ, in.rows)
	if !c.seesNulls {
		c.nullsOf(c.vecs)
	}
	if err := c.run(&c.result, c.vecs); err != nil {
		if c.expr.hasVariable() { // as lambdas have that no user wrote
			return nil, err
		}
		return nil, fmt.Errorf("evaluate %s: %w", c.expr.brief(), err)
	}
	c.zeroNulls()
	if c.varies {
		in.made += int(c.ValueBytes())
	}
	return &c.Vector, nil
}

// each1, each2 and each2Fits are loops over slices of columns. The compiler inlines them,
// and f into them.

func each1[A, R any](out []R, a []A, f func(A) R) {
	for i, x := range a[:len(out)] {
		out[i] = f(x)
	}
}

func each2[A, B, R any](out []R, a []A, b []B, f func(A, B) R) {
	a, b = a[:len(out)], b[:len(out)]
	for i := range out {
		out[i] = f(a[i], b[i])
	}
}

// each2Fits is each2 for a function whose result may not fit; it reports whether all did.
func each2Fits[T any](out, a, b []T, f func(a, b T) (T, bool)) bool {
	a, b = a[:len(out)], b[:len(out)]
	all := true
	for i := range out {
		n, fits := f(a[i], b[i])
		out[i], all = n, all && fits
	}
	return all
}

// mapEach and mapPairs are the kernels of functions of a value and of two, whose loops call f for each row. Where
// that call would take longer than f, a kernel has a loop of its own.

func mapEach[A, R any](to func(*columnar.Vector) []R, a func(*columnar.Vector) []A, f func(A) R) kernel {
	return func(out *result, args []*columnar.Vector) error {
		each1(to(&out.Vector), a(args[0]), f)
		return nil
	}
}

func mapPairs[A, B, R any](to func(*columnar.Vector) []R, a func(*columnar.Vector) []A, b func(*columnar.Vector) []B, f func(A, B) R) kernel {
	return func(out *result, args []*columnar.Vector) error {
		each2(to(&out.Vector), a(args[0]), b(args[1]), f)
		return nil
	}
}

// rowFunc computes a function for a row that is not null: it sets its value, appends its text or its items, or makes
// it null.
type rowFunc func(out *result, args []*columnar.Vector, i int) error

// eachRow is the kernel that calls a function for each row that is not null. It is for functions beside which such a
// call takes little time.
func eachRow(row rowFunc) kernel {
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			if err := row(out, args, i); err != nil {
				return err
			}
		}
		return nil
	}
}

// predicate is the kernel of a test that is called for each row. The test's b is the last
// argument, which is a if there is only one.
func predicate(test func(a, b *columnar.Vector, i int) bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a, b := args[0], args[len(args)-1]
		for i := range out.Bools {
			out.Bools[i] = test(a, b, i)
		}
		return nil
	}
}

// eachText is the kernel of a function of a text that appends its result to dst.
//
//go:noinline
func eachText(f func(dst, text []byte) []byte) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a := args[0]
		for i := range out.rows() {
			out.Data = f(out.Data, a.Bytes(i))
		}
		return nil
	}
}

// maxMade bounds the bytes of text that a function makes from one batch, where its output
// can be larger than its input: a chain of such functions could double the size each time.
const maxMade = 64 << 20

// ErrMuchText means that a function would make more text from one batch than the 64 MiB
// that it may.
var ErrMuchText = fmt.Errorf("a function makes more than %d MiB of text of a batch of rows", maxMade>>20)

// result is the vector a node returns, and the memory for its validity, which
// the vector uses only when there are nulls.
type result struct {
	columnar.Vector
	kind  columnar.Kind
	valid []bool
	owned bool // valid is the vector's validity
}

// start resets the result to a vector of n arbitrary values, none of which is null, or of
// no texts or items yet.
func (r *result) start(t columnar.Type, n int) {
	r.Type, r.kind, r.Len, r.Valid, r.owned = t, t.Kind(), n, nil, false
	switch r.kind {
	case columnar.KindBool:
		r.Bools = resize(r.Bools, n)
	case columnar.KindInt64:
		r.Ints = resize(r.Ints, n)
	case columnar.KindFloat64:
		r.Floats = resize(r.Floats, n)
	case columnar.KindInt128:
		r.Wides = resize(r.Wides, n)
	case columnar.KindList:
		if r.Child == nil {
			r.Child = columnar.NewVector(t.Item())
		}
		r.Child.Reset()
		fallthrough
	case columnar.KindBytes:
		r.Offsets, r.Data = resize(r.Offsets, n+1), r.Data[:0]
		r.Offsets[0] = 0
	}
}

// set sets row i to value at of a vector of the same type, or appends that value's text or items.
// The value must not be null.
func (r *result) set(i int, from *columnar.Vector, at int) {
	switch r.kind {
	case columnar.KindBool:
		r.Bools[i] = from.Bools[at]
	case columnar.KindInt64:
		r.Ints[i] = from.Ints[at]
	case columnar.KindFloat64:
		r.Floats[i] = from.Floats[at]
	case columnar.KindInt128:
		r.Wides[i] = from.Wides[at]
	case columnar.KindBytes:
		r.Data = append(r.Data, from.Bytes(at)...)
	case columnar.KindList:
		r.Child.AppendRange(from.Child, int(from.Offsets[at]), int(from.Offsets[at+1]))
	}
}

// rows yields the rows that are not null. For each, a kernel sets its value, appends its
// text or its items, or makes it null; rows then ends the text or list.
func (r *result) rows() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range r.Len {
			if !r.IsNull(i) && !yield(i) {
				return
			}
			r.end(i)
		}
	}
}

// end ends the text or the list of row i.
func (r *result) end(i int) {
	switch r.kind {
	case columnar.KindBytes:
		r.Offsets[i+1] = int32(len(r.Data))
	case columnar.KindList:
		r.Offsets[i+1] = int32(r.Child.Len)
	}
}

// fits returns ErrMuchText if so many more bytes would exceed maxMade.
func (r *result) fits(more int) error {
	if len(r.Data)+more > maxMade {
		return ErrMuchText
	}
	return nil
}

// validity gives the result a validity of its own, with arbitrary contents, and returns it.
func (r *result) validity() []bool {
	r.valid = resize(r.valid, r.Len)
	r.Valid, r.owned = r.valid, true
	return r.valid
}

// ownValidity gives the result a validity of its own with the same contents, if it has
// none, and returns it.
func (r *result) ownValidity() []bool {
	if r.owned {
		return r.valid
	}
	before := r.Valid
	valid := r.validity()
	for i := range valid {
		valid[i] = before == nil || before[i]
	}
	return valid
}

// nullsOf makes the result null where an argument is.
func (r *result) nullsOf(args []*columnar.Vector) {
	for _, a := range args {
		switch before := r.Valid; {
		case a.Valid == nil:
		case before == nil:
			r.Valid = a.Valid[:r.Len]
		default:
			each2(r.validity(), before, a.Valid, func(a, b bool) bool { return a && b })
		}
	}
}

// setNull makes a row null.
func (r *result) setNull(i int) {
	if !r.owned {
		r.ownValidity()
	}
	r.valid[i] = false
}

// nullWhereZero also makes the result null where the divisor is zero.
func nullWhereZero[T int64 | float64 | number.Int128](r *result, divisors []T) {
	var zero T
	for i, d := range divisors[:r.Len] {
		if d == zero {
			r.setNull(i)
		}
	}
}

// zeroNulls puts zero values into the slots of nulls.
func (r *result) zeroNulls() {
	if r.Valid == nil {
		return
	}
	switch r.kind {
	case columnar.KindBool:
		zeroWhereNot(r.Bools, r.Valid)
	case columnar.KindInt64:
		zeroWhereNot(r.Ints, r.Valid)
	case columnar.KindFloat64:
		zeroWhereNot(r.Floats, r.Valid)
	case columnar.KindInt128:
		zeroWhereNot(r.Wides, r.Valid)
	}
}

func zeroWhereNot[T any](values []T, valid []bool) {
	var zero T
	for i, ok := range valid {
		if !ok {
			values[i] = zero
		}
	}
}

// resize returns a slice of n arbitrary values, in the memory of s if it is large
// enough.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// resizeKeep is resize, but keeps the values of s.
func resizeKeep[T any](s []T, n int) []T {
	return slices.Grow(s, n-len(s))[:n]
}
