package expr

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
)

// TestBits compares operations on bits with what big numbers and one bit after the other
// say of them.
func TestBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 8))
	some := func() int64 {
		return []int64{0, 1, -1, 2, 62, 63, 64, -64, math.MaxInt64, math.MinInt64, rng.Int64(), -rng.Int64(), rng.Int64N(70)}[rng.IntN(13)]
	}
	bit := func(n int64, i int) bool { return i < 64 && uint64(n)>>i&1 == 1 }
	made := func(f func(i int) bool) (n int64) {
		for i := range 64 {
			if f(i) {
				n |= 1 << i
			}
		}
		return n
	}
	for range 2000 {
		x, y := some(), some()
		left, _ := bits.Mul64(uint64(x), 1<<uint64(max(min(y, 63), 0)))
		fits := x == 0 && y >= 0 || x > 0 && y >= 0 && y < 63 && left == 0 && x<<y > 0
		for op, want := range map[Op]int64{
			OpBitAnd: made(func(i int) bool { return bit(x, i) && bit(y, i) }),
			OpBitOr:  made(func(i int) bool { return bit(x, i) || bit(y, i) }),
			OpBitXor: made(func(i int) bool { return bit(x, i) != bit(y, i) }),
			OpShiftRight: made(func(i int) bool {
				return y >= 0 && y < 64 && bit(x, min(i+int(y), 63))
			}),
			OpShiftLeft: made(func(i int) bool { return y >= 0 && y <= int64(i) && bit(x, i-int(y)) }),
		} {
			got, err := Call(op, Int(x), Int(y)).compute(nil)
			switch {
			case op == OpShiftLeft && !fits:
				if !errors.Is(err, ErrNoNumber) {
					t.Fatalf("%d << %d is %s, %v", x, y, got, err)
				}
			case err != nil || got.String() != Int(want).String():
				t.Fatalf("%d %s %d is %s, %v, not %d", x, op, y, got, err, want)
			}
		}
		count := int64(0)
		for i := range 64 {
			if bit(x, i) {
				count++
			}
		}
		for op, want := range map[Op]int64{OpBitNot: made(func(i int) bool { return !bit(x, i) }), OpBitCount: count} {
			if got, err := Call(op, Int(x)).compute(nil); err != nil || got.String() != Int(want).String() {
				t.Fatalf("%s %d is %s, %v, not %d", op, x, got, err, want)
			}
		}
	}
	if e := Call(OpShiftLeft, Null(columnar.Int), Int(-1)); e.Fold().String() != "null::int" {
		t.Errorf("%s is %s", e, e.Fold())
	}
}
