package language

import (
	"slices"
	"testing"
)

// TestTableAnswersLikeTheModel looks up every n-gram of the file, and
// neighbouring n-grams that the file lacks.
func TestTableAnswersLikeTheModel(t *testing.T) {
	m, err := readModel(modelFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Languages) != 60 || !slices.IsSorted(m.Languages) || m.Grams != 245129 || m.Scores != 400593 {
		t.Errorf("%d languages, %d n-grams, %d scores", len(m.Languages), m.Grams, m.Scores)
	}
	table := newTable(m)
	grams, last := 0, key(0)
	m.each(func(k key, packed []uint16) {
		grams++
		if k <= last || k > whole.of(1<<32-1) || len(packed) == 0 || len(packed) > maxSpoken {
			t.Fatalf("n-gram %#x after %#x has %d scores", uint64(k), uint64(last), len(packed))
		}
		if k > last+1 && (table.find(k-1) != -1 || table.find(last+1) != -1) {
			t.Fatalf("found n-grams between %#x and %#x", uint64(last), uint64(k))
		}
		var want, got scores
		for i, p := range packed {
			l, points := p%maxLanguages, uint32(p)/maxLanguages
			if i > 0 && l <= packed[i-1]%maxLanguages || int(l) >= len(m.Languages) || points < uint32(m.Base) {
				t.Fatalf("n-gram %#x has scores %#x", uint64(k), packed)
			}
			want[l] = points
		}
		slot := table.find(k)
		if slot < 0 {
			t.Fatalf("n-gram %#x is missing", uint64(k))
		}
		if table.add(&got, slot); got != want {
			t.Fatalf("n-gram %#x has %v, want %v", uint64(k), got, want)
		}
		last = k
	})
	if grams != m.Grams {
		t.Errorf("%d n-grams of %d", grams, m.Grams)
	}
}

func TestDamagedModelsAreRefused(t *testing.T) {
	for i := 0; i < len(modelFile); i += 1 + len(modelFile)/20 {
		flipped := slices.Clone(modelFile)
		flipped[i] ^= 0x10
		for _, bad := range [][]byte{flipped, modelFile[:i]} {
			if m, err := readModel(bad); err == nil {
				t.Errorf("damage at byte %d: %d n-grams", i, m.Grams)
			}
		}
	}
}
