package aggregate

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/operators/expr"
)

// A sum of numbers of 128 bits may need 191 bits, so that it is kept in two parts: the sums of the
// upper words and of the lower ones, which have no sign.
func wideSumColumns() []column {
	return []column{
		sumOfParts("sum_upper", upperWords),
		{"sum_lower", columnar.Wide, func(*memory) accumulator { return &lowerSum{} }},
	}
}

// summed is the type of sums of numbers of 128 bits: those of decimals have all digits.
func summed(t columnar.Type) columnar.Type {
	if t.IsWide() {
		return columnar.DecimalOf(number.MaxPlaces, t.Scale())
	}
	return t
}

func wideSums(t columnar.Type) form {
	return form{takes: []columnar.Type{t}, gives: t, givesOf: summed, state: wideSumColumns(), value: func(s *state, r records, out *columnar.Vector) error {
		for _, ref := range r.refs {
			total, any := group{s, r, ref}.wideSum(0)
			n, fits := number.Int128OfBig(total)
			switch {
			case !any:
				out.AppendNull()
			case !fits || out.Type.IsWide() && !number.IsDecimal(n):
				return fmt.Errorf("does not fit 38 digits: %w", expr.ErrOverflow)
			default:
				out.AppendWide(n)
			}
		}
		return nil
	}}
}

func wideMeans(t columnar.Type) form {
	return form{takes: []columnar.Type{t}, gives: columnar.Float, state: append(wideSumColumns(), countColumn), value: perGroup(func(g group) (float64, bool, error) {
		total, any := g.wideSum(0)
		if !any {
			return 0, false, nil
		}
		unit := number.BigInt(number.Power128(g.state.form.takes[0].Scale()))
		parts := new(big.Int).Mul(unit, big.NewInt(g.count(2)))
		mean, _ := new(big.Rat).SetFrac(total, parts).Float64()
		return mean, true, nil
	})}
}

// wideSum returns the sum whose parts are columns i and i+1; any is false if it is of no values.
func (g group) wideSum(i int) (total *big.Int, any bool) {
	upper, any := g.sum(i)
	lower, _ := g.sum(i + 1)
	total = number.BigInt(upper)
	return total.Add(total.Lsh(total, 64), number.BigInt(lower)), any
}

// upperWords makes the upper words of numbers of 128 bits.
func upperWords(words []int64, arg *columnar.Vector) {
	for i, n := range arg.Wides[:arg.Len] {
		words[i] = n.HighBits()
	}
}

// lowerSum sums the lower words of numbers of 128 bits.
type lowerSum struct{ sum }

func (*lowerSum) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			rec := r.pages.pair(ref, r.at)
			rec[0], rec[1] = added(rec[0], begun(rec[1]), arg.Wides[i].LowBits(), 0)
		}
	}
}

func (*lowerSum) remove(r records, arg *columnar.Vector) bool {
	for i, ref := range r.refs {
		if !arg.IsNull(i) {
			rec := r.pages.pair(ref, r.at)
			lo, borrow := bits.Sub64(rec[0], arg.Wides[i].LowBits(), 0)
			rec[0], rec[1] = lo, rec[1]-borrow
		}
	}
	return true
}

func (l *lowerSum) single(arg *columnar.Vector, rows int) *columnar.Vector {
	l.wide.Type, l.wide.Len, l.wide.Valid = columnar.Wide, rows, arg.Valid
	l.wide.Wides = grow(l.wide.Wides[:0], rows)
	for i, n := range arg.Wides[:rows] {
		l.wide.Wides[i] = decimal128.New(0, n.LowBits())
	}
	return &l.wide
}

// wideExtreme keeps the least or the greatest number of 128 bits. Its state is a flag that there
// is any, and the two words of the number, the lower first.
type wideExtreme struct {
	inRecord
	greatest bool
}

func wideExtremes(f Func, t columnar.Type) form {
	make := func(*memory) accumulator { return &wideExtreme{greatest: f == Max} }
	return form{takes: []columnar.Type{t}, gives: t, state: []column{{string(f), t, make}}}
}

func (*wideExtreme) words() int { return 3 }

func (w *wideExtreme) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec, n := r.pages.rest(ref, r.at)[:3], arg.Wides[i]
		if held := wideOf(rec); rec[0] == 0 || n != held && n.Less(held) != w.greatest {
			rec[0], rec[1], rec[2] = 1, n.LowBits(), uint64(n.HighBits())
		}
	}
}

func wideOf(rec []uint64) number.Int128 { return decimal128.New(int64(rec[2]), rec[1]) }

func (w *wideExtreme) merge(r records, states *columnar.Vector) error {
	w.update(r, states)
	return nil
}

func (*wideExtreme) appendTo(r records, out *columnar.Vector) error {
	for _, ref := range r.refs {
		if rec := r.pages.rest(ref, r.at)[:3]; rec[0] == 0 {
			out.AppendNull()
		} else {
			out.AppendWide(wideOf(rec))
		}
	}
	return nil
}

func (*wideExtreme) single(arg *columnar.Vector, _ int) *columnar.Vector { return arg }

// wideBits combines the words of numbers of 128 bits. Its state is that of wideExtreme.
type wideBits struct {
	wideExtreme
	join func(x, y uint64) uint64
}

func (w *wideBits) update(r records, arg *columnar.Vector) {
	for i, ref := range r.refs {
		if arg.IsNull(i) {
			continue
		}
		rec, n := r.pages.rest(ref, r.at)[:3], arg.Wides[i]
		low, high := n.LowBits(), uint64(n.HighBits())
		if rec[0] == 1 {
			low, high = w.join(rec[1], low), w.join(rec[2], high)
		}
		rec[0], rec[1], rec[2] = 1, low, high
	}
}

func (w *wideBits) merge(r records, states *columnar.Vector) error {
	w.update(r, states)
	return nil
}
