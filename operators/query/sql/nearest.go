package sql

import (
	"strings"
	"unicode"
)

// Nearest returns the known name that is most similar to the given one, ignoring case, or
// "" if none is similar enough.
func Nearest(given string, known []string) string {
	best, least := "", 1+max(1, len(given)/3)
	for _, k := range known {
		if d := editDistance(strings.ToLower(given), strings.ToLower(k)); d < least || d == least && best != "" && k < best {
			best, least = k, d
		}
	}
	return best
}

// editDistance is the number of code points to insert, delete, replace or swap with the
// next one to turn a into b (the optimal string alignment distance).
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range x {
		before, last, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{last, row, before}
	}
	return rows[1][len(y)]
}

// Folded returns the same text for all names that are equal without regard to case.
func Folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
			least = min(least, other)
		}
		return least
	}, name)
}

// DidYouMean returns the hint that a name is similar to a known one, "" if it is not.
func DidYouMean(name string, known []string) string {
	if near := Nearest(name, known); near != "" {
		return "Did you mean " + QuoteName(near) + "?"
	}
	return ""
}
