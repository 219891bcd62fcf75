package join

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/cespare/xxhash/v2"
	"pgregory.net/rapid"

	"analyzer/columnar"
)

// chain returns the row numbers an entry leads to.
func (d *directory) chain(e uint64) []uint32 {
	if e == 0 {
		return nil
	}
	ids := []uint32{uint32(e)}
	if e&entryMore != 0 {
		for id := d.next[uint32(e)]; id != 0; id = d.next[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestDirectoryFindsRowsOfAHash(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		// Few values in some bits make equal slots, equal tags, and runs of
		// slots that wrap around.
		masks := []uint64{^uint64(0), 0xC0000000000000FF, 0xFF00000000000001, 3}
		hash := rapid.Custom(func(t *rapid.T) uint64 {
			return rapid.OneOf(rapid.Uint64(), rapid.Just(^uint64(0))).Draw(t, "hash") & rapid.SampledFrom(masks).Draw(t, "mask")
		})
		hashes := rapid.SliceOfN(hash, 1, 200).Draw(t, "hashes")
		absent := rapid.SliceOf(hash).Draw(t, "absent")
		gap := rapid.IntRange(0, 3).Draw(t, "gap") // numbers that no row has
		half := len(hashes) / 2
		ids := len(hashes) + gap

		var d directory
		for range 2 { // its memory is used again
			d.reset(len(hashes), ids)
			d.insert(hashes[half:], half+gap)
			d.insert(hashes[:half], 0)
			want := make(map[uint64][]uint32)
			for i, h := range hashes {
				if i >= half {
					i += gap
				}
				want[h] = append(want[h], uint32(i))
			}
			probes := append(slices.Clone(hashes), absent...)
			entries := make([]uint64, len(probes))
			d.find(probes, entries)
			for i, h := range probes {
				got := d.chain(entries[i])
				if !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != len(got) {
					t.Fatalf("hash %x leads to %d", h, got)
				}
				// Other rows may share the chain, but only rows with the same
				// tag.
				same := slices.DeleteFunc(slices.Clone(got), func(id uint32) bool {
					if int(id) >= half {
						id -= uint32(gap)
					}
					if tagOf(hashes[id]) != tagOf(h) {
						t.Fatalf("hash %x leads to the row of %x", h, hashes[id])
					}
					return hashes[id] != h
				})
				if !slices.Equal(same, want[h]) {
					t.Fatalf("hash %x leads to %d, want %d", h, same, want[h])
				}
			}
		}
	})
}

func TestDirectoryFindsRowsOfANumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.SampledFrom([]int64{math.MinInt64, -7, 0, math.MaxInt64 - 40}).Draw(t, "from")
		keys := rapid.SliceOfN(rapid.Int64Range(from, from+40), 1, 200).Draw(t, "keys")
		gap := rapid.IntRange(0, 3).Draw(t, "gap") // numbers that no row has
		half := len(keys) / 2
		number := func(i int) uint32 {
			if i >= half {
				i += gap
			}
			return uint32(i)
		}
		var d directory
		for range 2 { // its memory is used again
			d.resetNumbers(span{least: slices.Min(keys), most: slices.Max(keys)}, len(keys)+gap)
			d.insertNumbers(keys[half:], half+gap)
			d.insertNumbers(keys[:half], 0)
			want := make(map[int64][]uint32)
			for i, key := range keys {
				want[key] = append(want[key], number(i))
			}
			probes := append(slices.Clone(keys), 0, math.MinInt64, math.MaxInt64, from+20)
			entries := make([]uint64, len(probes))
			d.findNumbers(probes, entries)
			for i, key := range probes {
				if got := d.chain(entries[i]); !slices.Equal(got, want[key]) {
					t.Fatalf("key %d leads to %d, want %d", key, got, want[key])
				}
			}
		}
	})
}

func TestMatchComparesKeys(t *testing.T) {
	for _, typ := range everyType {
		t.Run(typ.String(), func(t *testing.T) {
			schema := columnar.Schema{{Name: "key", Type: typ}}
			rng := rand.New(rand.NewPCG(1, xxhash.Sum64String(typ.String())))
			build, probe := randomRows(rng, schema, 40, 12, 0), randomRows(rng, schema, 40, 12, 0)
			pages := columnar.NewPages(schema)
			pages.Put(0, build.Slice(0, 20))
			pages.Put(1, build.Slice(20, 40))
			var pos []int32
			var ids []uint32
			var want [][2]int
			for p := range probe.Len {
				for b := range build.Len {
					pos, ids = append(pos, int32(p)), append(ids, columnar.RowID(b/20, b%20))
					if keyText(probe.Cols[0], p) == keyText(build.Cols[0], b) {
						want = append(want, [2]int{p, b})
					}
				}
			}
			n := pages.Match(0, probe.Cols[0], pos, ids)
			var got [][2]int
			for i := range n {
				got = append(got, [2]int{int(pos[i]), int(ids[i]/columnar.PageRows*20 + ids[i]%columnar.PageRows)})
			}
			if !slices.Equal(got, want) || len(want) == 0 || len(want) == len(pos) {
				t.Errorf("%d of %d pairs match, want %d", len(got), len(pos), len(want))
			}
		})
	}
}
