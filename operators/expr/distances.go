package expr

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// mostDistance bounds the product of the lengths of two texts whose distance is computed.
const mostDistance = 1 << 28

func init() {
	functions.Add(func() []function {
		return []function{
			distance(columnar.Int, "levenshtein editdist3",
				"how many bytes must be added, removed or replaced to make one text of the other", "levenshtein('duck', 'dug')", "2", levenshtein),
			distance(columnar.Int, "damerau_levenshtein",
				"how many bytes must be added, removed, replaced or swapped with their neighbour to make one text of the other", "damerau_levenshtein('duck', 'udck')", "1", damerau),
			distance(columnar.Int, "hamming mismatches",
				"in how many places two texts of equal length differ", "hamming('duck', 'luck')", "1", hamming),
			distance(columnar.Float, "jaccard",
				"the share of bytes that both texts have among those that one of them has, from 0 to 1", "jaccard('duck', 'luck')", "0.6", jaccard),
			distance(columnar.Float, "jaro_similarity",
				"how similar two texts are, from 0 to 1, by the bytes that they share at about the same places", "jaro_similarity('same', 'same')", "1", jaro),
			distance(columnar.Float, "jaro_winkler_similarity",
				"how similar two texts are, from 0 to 1; a common beginning counts more", "jaro_winkler_similarity('same', 'same')", "1", jaroWinkler),
		}
	})
}

// distance is the entry of a function that says how far two texts are from each other. As in DuckDB, their
// bytes are compared.
func distance(gives columnar.Type, names, help, example, value string, of func(a, b []byte) (float64, error)) function {
	doc := registry.Texts.Doc(names, "(text, text)", help, example, value)
	return function{
		op: Op(doc.Names[0]), takes: "two texts", types: only(gives, columnar.Text, columnar.Text), cost: costText * 8, canFail: true,
		build: perRow(func(out *result, args []*columnar.Vector, i int) error {
			far, err := of(args[0].Bytes(i), args[1].Bytes(i))
			if err != nil {
				return err
			}
			if gives == columnar.Int {
				out.Ints[i] = int64(far)
			} else {
				out.Floats[i] = far
			}
			return nil
		}),
		doc: doc,
	}
}

func comparableLengths(a, b []byte) error {
	if len(a)*len(b) > mostDistance {
		return fmt.Errorf("texts of %d and %d bytes are too long for it: %w", len(a), len(b), ErrNoNumber)
	}
	return nil
}

// levenshtein is the distance of V. Levenshtein, “Binary codes capable of correcting deletions,
// insertions, and reversals”, 1966, by the rows of R. Wagner and M. Fischer's table.
func levenshtein(a, b []byte) (float64, error) {
	if err := comparableLengths(a, b); err != nil {
		return 0, err
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			replaced := diagonal
			if x != y {
				replaced++
			}
			diagonal, row[j+1] = row[j+1], min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return float64(row[len(b)]), nil
}

// damerau is the distance of F. Damerau, “A technique for computer detection and correction of
// spelling errors”, 1964, by the table of R. Lowrance and R. Wagner, “An Extension of the
// String-to-String Correction Problem”, 1975.
func damerau(a, b []byte) (float64, error) {
	if err := comparableLengths(a, b); err != nil {
		return 0, err
	}
	width, most := len(b)+2, len(a)+len(b)
	table := make([]int, (len(a)+2)*width)
	at := func(i, j int) *int { return &table[(i+1)*width+j+1] }
	*at(-1, -1) = most
	for i := range len(a) + 1 {
		*at(i, -1), *at(i, 0) = most, i
	}
	for j := range len(b) + 1 {
		*at(-1, j), *at(0, j) = most, j
	}
	var rowOf [256]int // the last row of each byte of a
	for i, x := range a {
		column := 0 // the last one in which this row and b have the same byte
		for j, y := range b {
			row, from := rowOf[y], column
			replaced := *at(i, j)
			if x == y {
				column = j + 1
			} else {
				replaced++
			}
			swapped := *at(row-1, from-1) + (i - row) + 1 + (j - from)
			*at(i+1, j+1) = min(replaced, *at(i+1, j)+1, *at(i, j+1)+1, swapped)
		}
		rowOf[x] = i + 1
	}
	return float64(*at(len(a), len(b))), nil
}

func hamming(a, b []byte) (float64, error) {
	if len(a) != len(b) || len(a) == 0 {
		return 0, fmt.Errorf("it is of texts of equal length, and these have %d and %d bytes: %w", len(a), len(b), ErrNoNumber)
	}
	n := 0
	for i, x := range a {
		if x != b[i] {
			n++
		}
	}
	return float64(n), nil
}

func jaccard(a, b []byte) (float64, error) {
	if len(a) == 0 || len(b) == 0 {
		return 0, fmt.Errorf("it is of texts that are not empty: %w", ErrNoNumber)
	}
	var in [256]uint8
	for _, x := range a {
		in[x] |= 1
	}
	for _, y := range b {
		in[y] |= 2
	}
	both, either := 0, 0
	for _, of := range in {
		if of == 3 {
			both++
		}
		if of != 0 {
			either++
		}
	}
	return float64(both) / float64(either), nil
}

// jaro is the similarity of M. Jaro, “Advances in record-linkage methodology”, 1989.
func jaro(a, b []byte) (float64, error) {
	if err := comparableLengths(a, b); err != nil {
		return 0, err
	}
	if len(a) == 0 || len(b) == 0 {
		return 0, nil
	}
	reach := max(max(len(a), len(b))/2-1, 0)
	matchedA, matchedB, matches := make([]bool, len(a)), make([]bool, len(b)), 0
	for i, x := range a {
		for j := max(0, i-reach); j < min(len(b), i+reach+1); j++ {
			if !matchedB[j] && b[j] == x {
				matchedA[i], matchedB[j], matches = true, true, matches+1
				break
			}
		}
	}
	if matches == 0 {
		return 0, nil
	}
	swapped, j := 0, 0
	for i, matched := range matchedA {
		if !matched {
			continue
		}
		for !matchedB[j] {
			j++
		}
		if a[i] != b[j] {
			swapped++
		}
		j++
	}
	m := float64(matches)
	return (m/float64(len(a)) + m/float64(len(b)) + (m-float64(swapped/2))/m) / 3, nil
}

// jaroWinkler is jaro raised by a common beginning of up to four bytes, where the texts are similar:
// W. Winkler, “String comparator metrics and enhanced decision rules”, 1990.
func jaroWinkler(a, b []byte) (float64, error) {
	similar, err := jaro(a, b)
	if err != nil || similar <= 0.7 {
		return similar, err
	}
	common := 0
	for common < min(4, len(a), len(b)) && a[common] == b[common] {
		common++
	}
	return similar + float64(float64(common)*0.1*(1-similar)), nil
}
