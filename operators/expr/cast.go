package expr

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// The casts: to_text and to_int take several types. From texts there are two casts to each
// type: one fails where a text is not such a value, and the other is null there.
const (
	OpToText Op = "to_text"
	OpToInt  Op = "to_int"
	OpToDate Op = "to_date"
	// OpToTimestamp is the midnight that begins a date, or what a clock in UTC shows.
	OpToTimestamp Op = "to_timestamp"
)

// ErrCast means that a value cannot be converted to another type.
var ErrCast = errors.New("cannot be cast")

// CastError is an ErrCast of a text.
type CastError struct {
	Text string
	Type columnar.Type
}

func (e *CastError) Error() string {
	return fmt.Sprintf("the text %q is no %s: %v", columnar.Excerpt(e.Text, 60), cmp.Or(e.Type.SQL(), "list, struct or map"), ErrCast)
}

func (e *CastError) Unwrap() error { return ErrCast }

// TryCast converts a text, a number or a Bool to an exact number, and is null where that does not
// fit.
func TryCast(e *Expr, t columnar.Type) *Expr { return Call(Op("try_"+t.String()), e) }

// CastText reads a text as a Bool, Int, Decimal, Huge, Float, Interval, UUID, as Bytes or one of the Times. Where the text is
// not one, it is null if try is set, and an error otherwise.
func CastText(text *Expr, t columnar.Type, try bool) *Expr { return Call(castOp(t, try), text) }

func castOp(t columnar.Type, try bool) Op {
	if try {
		return Op("try_" + t.String())
	}
	return Op("cast_" + t.String())
}

func init() { functions.Add(castFunctions) }

func castFunctions() []function {
	return append([]function{
		{
			op: OpToText, takes: "a value", types: oneOf(columnar.Text, anyItem),
			cost: costText * 4, canFail: true, build: buildToText,
		},
		{
			op: OpToInt, takes: "a number or a bool", types: oneOf(columnar.Int, append([]columnar.Type{columnar.Bool}, numbers...)...),
			cost: costFixed, canFail: true, build: buildToInt,
		},
		{
			op: OpToDate, takes: "a timestamp", types: oneOf(columnar.Date, columnar.Timestamp, columnar.Instant),
			cost: costFixed, build: just(mapEach(ints, ints, func(micros int64) int64 { days, _ := number.DayAndClock(micros); return days })),
		},
		{
			op: OpToTimestamp, takes: "a date or a timestamp with time zone", types: oneOf(columnar.Timestamp, columnar.Date, columnar.Instant),
			cost: costFixed, build: buildToTimestamp,
		},
	}, textCasts()...)
}

func textCasts() []function {
	var all []function
	for _, t := range append([]columnar.Type{columnar.Bool, columnar.Int, columnar.Decimal, columnar.Huge, columnar.Float, columnar.Interval, columnar.UUID, columnar.Bytes}, columnar.Times()...) {
		for _, try := range []bool{false, true} {
			f := function{
				op: castOp(t, try), takes: "a text", types: oneOf(t, columnar.Text), cost: costText * 4, canFail: !try, build: just(castText(try)),
			}
			if try && IsNumber(t) && t != columnar.Float {
				f.takes, f.types, f.build = "a text, a number or a bool", append(f.types, oneOf(t, append([]columnar.Type{columnar.Bool}, numbers...)...)...), buildTry
			}
			if t == columnar.Instant {
				f.build = buildInstant(try)
			}
			all = append(all, f)
		}
	}
	return all
}

// buildTry builds a cast that is null where a value is no exact number, or does not fit.
func buildTry(b *build) (kernel, error) {
	switch b.args[0].typ {
	case columnar.Text:
		return castText(true), nil
	case b.typ:
		return nil, nil
	}
	return toExact(true), nil
}

func buildToTimestamp(b *build) (kernel, error) {
	if b.args[0].typ == columnar.Date {
		return mapEach(ints, ints, number.TimestampOf), nil
	}
	return mapEach(ints, ints, same), nil
}

func same(n int64) int64 { return n }

func buildToText(b *build) (kernel, error) {
	if b.args[0].typ == columnar.Text {
		return nil, nil
	}
	return func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			out.Data = args[0].AppendText(out.Data, i)
			if err := out.fits(0); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

func buildToInt(b *build) (kernel, error) {
	switch t := b.args[0].typ; {
	case t == columnar.Int:
		return nil, nil
	case t == columnar.Bool:
		return bitsOf, nil
	case t != columnar.Float:
		return conversion(t, columnar.Int), nil
	}
	return func(out *result, args []*columnar.Vector) error {
		for i, f := range args[0].Floats[:out.Len] {
			r := math.RoundToEven(f)
			if !(r >= -1<<63 && r < 1<<63) && !out.IsNull(i) {
				return overflow(fmt.Sprintf("%g does not fit int", f))
			}
			out.Ints[i] = int64(r)
		}
		return nil
	}, nil
}

// wholeOf rounds millionths to a whole number, halves away from zero.
func wholeOf(n int64) int64 {
	whole, rest := n/decimalOne, n%decimalOne
	switch {
	case rest >= decimalOne/2:
		return whole + 1
	case rest <= -decimalOne/2:
		return whole - 1
	}
	return whole
}

// castText is the kernel of CastText.
//
//go:noinline
func castText(try bool) kernel { return castTextBy((*result).setText, try) }

// castTextBy is castText with a way to parse a text into value i.
func castTextBy(set func(out *result, i int, text []byte) bool, try bool) kernel {
	return func(out *result, args []*columnar.Vector) error {
		a := args[0]
		for i := range out.rows() {
			if set(out, i, a.Bytes(i)) {
				continue
			}
			if plain, ok := plainNumber(a.Bytes(i), out.Type); ok && out.setText(i, plain) {
				continue
			}
			if !try {
				return &CastError{string(a.Bytes(i)), out.Type}
			}
			out.setNull(i)
		}
		return nil
	}
}

// setText parses a text into value i, and reports whether it could.
func (r *result) setText(i int, text []byte) (ok bool) {
	switch r.Type {
	case columnar.Bool:
		r.Bools[i], ok = number.ParseBoolWord(text)
	case columnar.Float:
		r.Floats[i], ok = number.ParseAnyFloat(text)
	case columnar.Huge:
		r.Wides[i], ok = number.Parse128(text, 0)
	case columnar.Interval:
		r.Wides[i], ok = parseInterval(text)
	case columnar.UUID:
		r.Wides[i], ok = number.ParseUUID(text)
	case columnar.Bytes:
		r.Data, ok = number.AppendUnescaped(r.Data, text)
	case columnar.Decimal:
		r.Ints[i], ok = number.ParseRounded(text, number.Scale)
	case columnar.Int:
		r.Ints[i], ok = intOf(text)
	default:
		r.Ints[i], ok = r.Type.ParseTime(text)
	}
	return ok
}

// intOf reads a number, and rounds it to a whole number if it is not one.
func intOf(text []byte) (n int64, ok bool) {
	if n, ok = number.ParseInt(text); ok {
		return n, true
	}
	return number.ParseRounded(text, 0)
}
