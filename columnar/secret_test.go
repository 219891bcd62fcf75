package columnar_test

import (
	"hash/maphash"
	"math"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// TestHashSecretly hashes keys that agree in their public hash: hardly any two agree then, and
// equal ones do.
func TestHashSecretly(t *testing.T) {
	const rows = 5000
	seed := maphash.MakeSeed()
	for name, keys := range map[string][]*columnar.Vector{
		"numbers": rowtest.CollidingNumbers(rows),
		"texts":   {rowtest.CollidingTexts(rows)},
	} {
		if n := distinct(columnar.HashRows(nil, keys, rows)); n != 1 {
			t.Errorf("%s: %d public hashes, and they were made to have one", name, n)
		}
		if n := distinct(columnar.HashSecretly(nil, seed, keys, rows)); n != rows {
			t.Errorf("%s: %d hashes of %d keys", name, n, rows)
		}
	}
	for _, typ := range columnar.Types() {
		v := columnar.NewVector(typ)
		v.AppendNull()
		v.AppendNull()
		if typ == columnar.Float {
			v.AppendFloat(0)
			v.AppendFloat(math.Copysign(0, -1))
		}
		hashes := columnar.HashSecretly(nil, seed, []*columnar.Vector{v}, v.Len)
		for i := 1; i < v.Len; i += 2 {
			if hashes[i] != hashes[i-1] {
				t.Errorf("%s: equal values have different hashes", typ)
			}
		}
	}
}

func distinct(hashes []uint64) int {
	all := make(map[uint64]bool)
	for _, h := range hashes {
		all[h] = true
	}
	return len(all)
}
