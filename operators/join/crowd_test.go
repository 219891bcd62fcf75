package join

import (
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

// TestCrowd makes directories of different keys that agree in their public hash. The directory
// that is used has hardly two of them in one chain, and finds each.
func TestCrowd(t *testing.T) {
	const rows = 5000
	for name, keys := range map[string][]*columnar.Vector{
		"numbers": rowtest.CollidingNumbers(rows),
		"texts":   {rowtest.CollidingTexts(rows)},
	} {
		p := filled(keys)
		if p.directory.secret == nil {
			t.Fatalf("%s: the directory is of hashes that agree", name)
		}
		chained := 0
		for _, next := range p.directory.next {
			if next != 0 {
				chained++
			}
		}
		if chained > 10 {
			t.Errorf("%s: %d of %d keys are not the last of their chain", name, chained, rows)
		}
		p.lookUp(columnar.Rows{Len: rows, Cols: keys}, 0, rows)
		for i, e := range p.entries {
			if e == 0 {
				t.Fatalf("%s: key %d is not found", name, i)
			}
		}
	}
}

// TestCrowdAmongOthers has a part of the keys agree, each of several rows.
func TestCrowdAmongOthers(t *testing.T) {
	texts, flood := columnar.NewVector(columnar.Text), rowtest.CollidingTexts(1000)
	for i := range 30_000 {
		if i%3 == 0 {
			texts.AppendBytes(flood.Bytes(i / 30)) // ten rows of each
			continue
		}
		texts.AppendBytes([]byte{byte(i), byte(i >> 8)})
	}
	if p := filled([]*columnar.Vector{texts}); p.directory.secret == nil {
		t.Error("the directory is of hashes that agree")
	}
}

// TestEqualKeysAreNoCrowd makes long chains of rows with equal keys, which are as they have to be.
func TestEqualKeysAreNoCrowd(t *testing.T) {
	same := columnar.NewVector(columnar.Text)
	for i := range 5000 {
		same.AppendBytes([]byte{byte('a' + i%3)})
	}
	if p := filled([]*columnar.Vector{same}); p.directory.secret != nil {
		t.Error("another directory was made")
	}
}

// filled returns a prober whose build side has these keys.
func filled(keys []*columnar.Vector) *prober {
	schema, at := columnar.Schema{}, []int{}
	for i, k := range keys {
		schema, at = append(schema, columnar.Field{Name: string(rune('a' + i)), Type: k.Type}), append(at, i)
	}
	build := newSide(schema, at, nil, nil)
	p := newProber(Config{Build: schema, Probe: schema, BuildKeys: at, ProbeKeys: at}, build)
	pages := columnar.NewPages(schema)
	pages.Append(columnar.Rows{Len: keys[0].Len, Cols: keys}, 0)
	p.build(pages, newSpan(build))
	return &p
}
