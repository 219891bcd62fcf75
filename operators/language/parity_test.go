package language

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestAgreesWithEld compares points with those that eld 2.1.0 gave for the same
// texts with its large table: the three best languages, and the sum over all.
// The texts have none of the listed English words, links, and other things
// that this package reads differently on purpose.
func TestAgreesWithEld(t *testing.T) {
	d := newDetectorOrFail(t)
	f, err := os.Open("testdata/eld.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	n := 0
	for ; lines.Scan(); n++ {
		var want struct {
			Text string
			Top  map[string]uint32
			Sum  uint32
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		var all scores
		d.score(&all, []byte(want.Text))
		sum := uint32(0)
		for l, points := range all {
			sum += points
			if l < len(d.codes) && want.Top[d.codes[l]] != 0 && want.Top[d.codes[l]] != points {
				t.Errorf("%.60q has %d points for %s, want %d", want.Text, points, d.codes[l], want.Top[d.codes[l]])
			}
		}
		if sum != want.Sum {
			t.Errorf("%.60q has %d points, want %d", want.Text, sum, want.Sum)
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	if n < 200 {
		t.Errorf("only %d texts", n)
	}
}

func newDetectorOrFail(t testing.TB) *Detector {
	t.Helper()
	d, err := New()
	if err != nil {
		t.Fatal(err)
	}
	return d
}
