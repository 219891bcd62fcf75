package ngram

import (
	"encoding/binary"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/zstd"
)

// magic opens every file.
const magic = "ngrams1\n"

// Encode returns the file of a model. The same model always gives the same
// bytes with the same version of the compressor. A model that the format
// cannot hold is an error.
func Encode(m *Model) ([]byte, error) {
	if err := check(m); err != nil {
		return nil, err
	}
	b := binary.AppendUvarint(nil, uint64(m.Base))
	b = binary.AppendUvarint(b, uint64(len(m.Languages)))
	for _, code := range m.Languages {
		b = append(b, code...)
	}
	b = binary.AppendUvarint(b, uint64(len(m.Letters)))
	var end rune
	for _, r := range m.Letters {
		b = binary.AppendUvarint(b, uint64(r.First-end))
		b = binary.AppendUvarint(b, uint64(r.Last-r.First+1))
		end = r.Last + 1
	}
	b = appendKeys(b, m.Keys)
	b = append(b, m.Counts...)
	b = append(b, m.Spoken...)
	b = append(b, m.Points...)
	z, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, fmt.Errorf("make compressor: %w", err)
	}
	file := z.EncodeAll(b, []byte(magic))
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("compress: %w", err)
	}
	return binary.LittleEndian.AppendUint64(file, xxhash.Sum64(file)), nil
}

// appendKeys appends the ascending keys, kind by kind.
func appendKeys(b []byte, keys []Key) []byte {
	var ends [kinds]int
	for kind := range kinds {
		ends[kind], _ = slices.BinarySearch(keys, (kind + 1).Of(0))
	}
	for kind, end := range ends {
		if kind > 0 {
			end -= ends[kind-1]
		}
		b = binary.AppendUvarint(b, uint64(end))
	}
	for kind := range kinds {
		last := kind.Of(0)
		for len(keys) > 0 && keys[0] < (kind+1).Of(0) {
			b = binary.AppendUvarint(b, uint64(keys[0]-last))
			last, keys = keys[0], keys[1:]
		}
	}
	return b
}

// check reports what keeps a model from being encoded, or from being a table.
func check(m *Model) error {
	if len(m.Languages) == 0 || len(m.Languages) > maxLanguages || !slices.IsSorted(m.Languages) {
		return fmt.Errorf("%d languages: want 1 to %d, ascending", len(m.Languages), maxLanguages)
	}
	for _, code := range m.Languages {
		if len(code) != 2 {
			return fmt.Errorf("language %q: want two letters", code)
		}
	}
	if m.Base == 0 || m.Base+0xff > maxPoints {
		return fmt.Errorf("base of %d points: want 1 to %d", m.Base, maxPoints-0xff)
	}
	if len(m.Counts) != len(m.Keys) || len(m.Spoken) != len(m.Points) {
		return fmt.Errorf("%d counts of %d n-grams, %d points of %d scores", len(m.Counts), len(m.Keys), len(m.Points), len(m.Spoken))
	}
	end := rune(0)
	for _, r := range m.Letters {
		if r.First < end || r.Last < r.First || r.Last > utf8.MaxRune {
			return fmt.Errorf("letters %U to %U: want ascending ranges", r.First, r.Last)
		}
		end = r.Last + 1
	}
	return checkGrams(m)
}

// checkGrams checks the columns, which are of fitting lengths.
func checkGrams(m *Model) error {
	if len(m.Spoken) > maxScores {
		return fmt.Errorf("%d scores, over the limit of %d", len(m.Spoken), maxScores)
	}
	spoken := m.Spoken
	for i, k := range m.Keys {
		if i > 0 && k <= m.Keys[i-1] || k == 0 || k >= kinds.Of(0) {
			return fmt.Errorf("n-gram %#x: want ascending keys", uint64(k))
		}
		n := int(m.Counts[i])
		if n == 0 || n > maxSpoken || n > len(spoken) {
			return fmt.Errorf("n-gram %#x has %d scores of %d: want 1 to %d", uint64(k), n, len(spoken), maxSpoken)
		}
		for j, l := range spoken[:n] {
			if int(l) >= len(m.Languages) || j > 0 && l <= spoken[j-1] {
				return fmt.Errorf("n-gram %#x: language %d of %d: want ascending ones", uint64(k), l, len(m.Languages))
			}
		}
		spoken = spoken[n:]
	}
	if len(spoken) != 0 {
		return fmt.Errorf("%d scores too many", len(spoken))
	}
	return nil
}
