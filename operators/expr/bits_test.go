package expr

import (
	"errors"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/decimal128"

	"analyzer/columnar"
	"analyzer/columnar/number"
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
			"&":   made(func(i int) bool { return bit(x, i) && bit(y, i) }),
			"|":   made(func(i int) bool { return bit(x, i) || bit(y, i) }),
			"xor": made(func(i int) bool { return bit(x, i) != bit(y, i) }),
			">>": made(func(i int) bool {
				return y >= 0 && y < 64 && bit(x, min(i+int(y), 63))
			}),
			"<<": made(func(i int) bool { return y >= 0 && y <= int64(i) && bit(x, i-int(y)) }),
		} {
			got, err := Call(op, Int(x), Int(y)).compute(nil)
			switch {
			case op == "<<" && !fits:
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
		for op, want := range map[Op]int64{OpBitNot: made(func(i int) bool { return !bit(x, i) }), "bit_count": count} {
			if got, err := Call(op, Int(x)).compute(nil); err != nil || got.String() != Int(want).String() {
				t.Fatalf("%s %d is %s, %v, not %d", op, x, got, err, want)
			}
		}
	}
	if e := Call("<<", Null(columnar.Int), Int(-1)); e.Fold().String() != "null::int" {
		t.Errorf("%s is %s", e, e.Fold())
	}
}

// TestWideBits compares operations on the bits of numbers of 128 bits with those of big numbers.
func TestWideBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 9))
	some := func() number.Int128 {
		words := []uint64{0, 1, 2, math.MaxUint64, 1 << 63, math.MaxInt64, rng.Uint64()}
		return decimal128.New(int64(words[rng.IntN(7)]), words[rng.IntN(7)])
	}
	for range 3000 {
		x, y, places := some(), some(), []int64{-1, 0, 1, 62, 63, 64, 65, 100, 126, 127, 128, rng.Int64N(130)}[rng.IntN(12)]
		a, b := number.BigInt(x), number.BigInt(y)
		count := 0
		for i := range 128 {
			count += int(a.Bit(i))
		}
		right, left := new(big.Int), new(big.Int)
		if places >= 0 && places < 128 {
			right.Rsh(a, uint(places))
		}
		if places >= 0 {
			left.Lsh(a, uint(places))
		}
		for _, c := range []struct {
			got  *Expr
			want *big.Int
		}{
			{Call("&", Huge(x), Huge(y)), new(big.Int).And(a, b)},
			{Call("|", Huge(x), Huge(y)), new(big.Int).Or(a, b)},
			{Call("xor", Huge(x), Huge(y)), new(big.Int).Xor(a, b)},
			{Call("&", Huge(x), Int(-2)), new(big.Int).And(a, big.NewInt(-2))},
			{Call(OpBitNot, Huge(x)), new(big.Int).Not(a)},
			{Call("bit_count", Huge(x)), big.NewInt(int64(count))},
			{Call(">>", Huge(x), Int(places)), right},
			{Call("<<", Huge(x), Int(places)), left},
		} {
			n, fits := number.Int128OfBig(c.want)
			want := Huge(n)
			if c.got.Op == "bit_count" {
				want = Int(int64(count))
			}
			fits = fits && (c.got.Op != "<<" || a.Sign() == 0 && places >= 0 || a.Sign() > 0 && places >= 0)
			got, err := c.got.compute(nil)
			if fits != (err == nil) || fits && got.String() != want.String() {
				t.Fatalf("%s is %s, %v, not %s", c.got, got, err, want)
			}
		}
	}
}
