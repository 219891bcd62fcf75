package parquet

import (
	"math/big"
	"testing"

	"analyzer/columnar"
)

// FuzzDecimals reads whatever bytes as decimals of any length, of which some are left to values before, and compares
// them with plain arithmetic.
func FuzzDecimals(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x01\xff\xff\xff\xff\xff\xff\xff\xff\xfe"), uint8(9), uint8(2), uint8(0))
	f.Add([]byte("\xff\x80\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00"), uint8(9), uint8(6), uint8(0))
	f.Add([]byte("\x01\x02\x03\x81\x02\x03"), uint8(3), uint8(0), uint8(1))
	f.Add([]byte("0123456789abcdef"), uint8(16), uint8(0), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, size, scale, first uint8) {
		size, scale = 1+size%17, scale%7
		raw := columnar.NewVector(columnar.Text)
		for ; len(data) >= int(size); data = data[size:] {
			raw.AppendBytes(data[:size])
		}
		from := int(first) % (raw.Len + 1)
		convert, to := wideDecimals(int32(scale)), columnar.NewVector(columnar.Decimal)
		if first&1 == 1 {
			convert, to, scale = wideInts, columnar.NewVector(columnar.Int), 6
		}
		var want []int64
		fits := true
		for i := from; i < raw.Len && fits; i++ {
			n := new(big.Int).SetBytes(raw.Bytes(i))
			if raw.Bytes(i)[0] >= 0x80 {
				n.Sub(n, new(big.Int).Lsh(big.NewInt(1), 8*uint(size)))
			}
			n.Mul(n, big.NewInt(pow10(6-int32(scale))))
			want = append(want, n.Int64())
			fits = n.IsInt64() && size <= 16
		}
		switch err := convert(to, raw, from); {
		case fits != (err == nil):
			t.Fatalf("fit: %v, error: %v", fits, err)
		case fits:
			for i, n := range want {
				if to.Ints[i] != n {
					t.Fatalf("value %d is %d, want %d", i, to.Ints[i], n)
				}
			}
		}
	})
}
