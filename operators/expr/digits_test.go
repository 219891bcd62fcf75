package expr

import (
	"errors"
	"math"
	"testing"

	"analyzer/columnar"
)

func TestToDigits(t *testing.T) {
	to := func(v *Expr, digits, places int64, try bool) *Expr {
		return Call(OpToDigits, v, Int(digits), Int(places), Bool(try))
	}
	for _, tt := range []struct {
		e    *Expr
		want string
	}{
		{to(Dec(1_255_000), 10, 2, false), "1.26"},
		{to(Dec(-1_255_000), 10, 2, false), "-1.26"},
		{to(Dec(1_254_999), 10, 2, false), "1.25"},
		{to(Dec(999_949), 3, 3, true), "null::decimal"},
		{to(Dec(math.MaxInt64-1), 38, 6, false), "9223372036854.775806"},
		{to(Dec(math.MaxInt64), 38, 0, true), "null::decimal"},
		{to(Str("1.2549999"), 10, 2, false), "1.25"},
		{to(Str(" 12e-1 "), 3, 1, false), "1.2"},
		{to(Str("99.95"), 3, 1, true), "null::decimal"},
		{to(Str("-99.94"), 3, 1, false), "-99.9"},
		{to(Str("x"), 3, 1, true), "null::decimal"},
		{to(Str("9223372036854775807"), 38, 0, true), "null::decimal"},
		{to(Int(-99), 2, 0, false), "-99.0"},
		{to(Int(100), 2, 0, true), "null::decimal"},
		{to(Int(math.MinInt64), 38, 0, true), "null::decimal"},
		{to(Int(9_223_372_036_853), 38, 0, true), "9223372036853.0"},
		{to(Float(0.125), 10, 2, false), "0.13"},
		{to(Float(-1e12), 18, 6, true), "null::decimal"},
		{to(Float(-999e9), 18, 6, true), "-999000000000.0"},
		{to(Float(1e30), 38, 2, true), "null::decimal"},
		{to(Null(columnar.Text), 3, 1, false), "null::decimal"},
	} {
		v, err := tt.e.compute(nil)
		if err != nil {
			t.Errorf("%s: %v", tt.e, err)
		} else if got := v.String(); got != tt.want {
			t.Errorf("%s is %s, want %s", tt.e, got, tt.want)
		}
	}
	for _, e := range []*Expr{to(Int(100), 2, 0, false), to(Str("1,5"), 3, 1, false)} {
		if _, err := e.compute(nil); !errors.Is(err, ErrCast) {
			t.Errorf("%s: %v", e, err)
		}
	}
	for _, e := range []*Expr{to(Int(1), 3, 7, false), to(Int(1), 39, 0, false), to(Int(1), 1, 2, false), to(Int(1), 0, 0, false)} {
		if _, err := e.compute(nil); err == nil || errors.Is(err, ErrCast) {
			t.Errorf("%s: %v", e, err)
		}
	}
}
