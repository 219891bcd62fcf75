package expr

import (
	"fmt"
	"slices"

	"analyzer/columnar"
)

// kernel computes a function for all rows of a batch. The result it is given has
// room for as many values, or no texts yet, and is null where an argument is;
// the kernel may make more of it null. It may leave anything in the slots of
// nulls but texts. What it was built with it does not change.
//
// Functions that return the closure of a hot loop are not to be inlined: the
// compiler would copy the closure and inline nothing into the copy, so that it
// made a call for each row.
type kernel func(out *result, args []*columnar.Vector) error

// build is a call of a function on its way to a kernel. Whoever makes the kernel
// may change the arguments: convert them, or leave out literals.
type build struct {
	expr *Expr
	typ  columnar.Type // of the result
	args []operand
	env  *Env
}

// just is for functions with one kernel for all arguments.
func just(k kernel) func(*build) (kernel, error) {
	return func(*build) (kernel, error) { return k, nil }
}

// literal returns argument i if it is a literal that is not null, or nil.
func (b *build) literal(i int) *Value { return b.args[i].value }

// keep leaves argument i as the only one of the kernel's.
func (b *build) keep(i int) { b.args = b.args[i : i+1] }

// convert makes all arguments values of one numeric type.
func (b *build) convert(t columnar.Type) {
	for i, a := range b.args {
		b.args[i] = convert(a, t, b.expr)
	}
}

func (b *build) has(t columnar.Type) bool {
	return slices.ContainsFunc(b.args, func(a operand) bool { return a.typ == t })
}

// call computes a kernel.
type call struct {
	result
	typ  columnar.Type
	args []node
	vecs []*columnar.Vector // the arguments' values
	run  kernel
}

func newCall(t columnar.Type, run kernel, args ...operand) *call {
	c := &call{typ: t, run: run, vecs: make([]*columnar.Vector, len(args))}
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
	c.nullsOf(c.vecs)
	if err := c.run(&c.result, c.vecs); err != nil {
		return nil, err
	}
	c.zeroNulls()
	return &c.vec, nil
}

// each1, each2 and each2Fits are loops over slices of columns. They are inlined,
// together with the function.

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

// each2Fits reports whether all results fit.
func each2Fits[T any](out, a, b []T, f func(a, b T) (T, bool)) bool {
	a, b = a[:len(out)], b[:len(out)]
	all := true
	for i := range out {
		n, fits := f(a[i], b[i])
		out[i], all = n, all && fits
	}
	return all
}

// predicate is the kernel of a test that is called for each row; b is the last
// argument.
func predicate(test func(a, b *columnar.Vector, i int) bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a, b := args[0], args[len(args)-1]
		for i := range out.vec.Bools {
			out.vec.Bools[i] = test(a, b, i)
		}
		return nil
	}
}

// maxMade bounds the bytes of text that a function makes of one batch, where these can be
// more than those it is given: a chain of such functions would double them each time.
const maxMade = 64 << 20

// ErrMuchText is the error of a function that makes more than that.
var ErrMuchText = fmt.Errorf("a function makes more than %d MiB of text of a batch of rows", maxMade>>20)

// fits reports an error if there is no room for more bytes of text.
func (r *result) fits(more int) error {
	if len(r.vec.Data)+more > maxMade {
		return ErrMuchText
	}
	return nil
}

// textKernel is the kernel of a function from texts to texts that appends its
// result to dst.
func textKernel(f func(dst, text []byte) []byte) kernel {
	return func(out *result, args []*columnar.Vector) error {
		v, a := &out.vec, args[0]
		for i := range v.Len {
			if !a.IsNull(i) {
				v.Data = f(v.Data, a.Bytes(i))
			}
			v.Offsets[i+1] = int32(len(v.Data))
		}
		return nil
	}
}

// result is the vector a node returns, and the memory for its validity, which
// the vector itself has only when there are nulls.
type result struct {
	vec   columnar.Vector
	valid []bool
}

// start makes the result a vector of n values that may be anything, without
// nulls, or of no texts or items yet.
func (r *result) start(t columnar.Type, n int) {
	v := &r.vec
	v.Type, v.Len, v.Valid = t, n, nil
	switch t.Kind() {
	case columnar.KindBool:
		v.Bools = resize(v.Bools, n)
	case columnar.KindInt64:
		v.Ints = resize(v.Ints, n)
	case columnar.KindFloat64:
		v.Floats = resize(v.Floats, n)
	case columnar.KindInt128:
		v.Wides = resize(v.Wides, n)
	case columnar.KindBytes:
		v.Offsets, v.Data = resize(v.Offsets, n+1), v.Data[:0]
		v.Offsets[0] = 0
	case columnar.KindList:
		if v.Child == nil {
			v.Child = columnar.NewVector(t.Item())
		}
		v.Offsets = resize(v.Offsets, n+1)
		v.Offsets[0] = 0
		v.Child.Reset()
	}
}

// validity gives the result a validity of its own that may hold anything.
func (r *result) validity() []bool {
	r.valid = resize(r.valid, r.vec.Len)
	r.vec.Valid = r.valid
	return r.valid
}

// nullsOf makes the result null where an argument is.
func (r *result) nullsOf(args []*columnar.Vector) {
	for _, a := range args {
		switch before := r.vec.Valid; {
		case a.Valid == nil:
		case before == nil:
			r.vec.Valid = a.Valid[:r.vec.Len]
		default:
			each2(r.validity(), before, a.Valid, func(a, b bool) bool { return a && b })
		}
	}
}

// nullWhereZero makes the result null where the divisor is zero as well.
func nullWhereZero[T int64 | float64](r *result, divisors []T) {
	if !slices.Contains(divisors[:r.vec.Len], 0) {
		return
	}
	before := r.vec.Valid
	valid := r.validity()
	for i, d := range divisors[:len(valid)] {
		valid[i] = d != 0 && (before == nil || before[i])
	}
}

// zeroNulls puts zero values into the slots of nulls.
func (r *result) zeroNulls() {
	if r.vec.Valid == nil {
		return
	}
	switch v := &r.vec; v.Type.Kind() {
	case columnar.KindBool:
		zeroWhereNot(v.Bools, v.Valid)
	case columnar.KindInt64:
		zeroWhereNot(v.Ints, v.Valid)
	case columnar.KindFloat64:
		zeroWhereNot(v.Floats, v.Valid)
	case columnar.KindInt128:
		zeroWhereNot(v.Wides, v.Valid)
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

// resize returns a slice of n values that may be anything, in s's memory if
// there is enough.
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
