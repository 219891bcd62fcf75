package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"analyzer/operators/language/internal/ngram"
)

const (
	// base is what eld's calculateScores adds to every score.
	base = 53
	// wordPoints is what a listed English word scores at least, stored less
	// base: between the n-grams that are common to languages and those that
	// give one away.
	wordPoints = 67
)

// table collects n-grams and their points, less base, by language.
type table struct {
	languages []string
	grams     map[ngram.Key]map[string]int
}

// addScores adds an n-gram with its scores, written 11:64,37:60.
func (t *table) addScores(key ngram.Key, list string) error {
	if _, ok := t.grams[key]; ok {
		return fmt.Errorf("comes twice")
	}
	scores := make(map[string]int)
	for _, item := range strings.Split(list, ",") {
		number, points, _ := strings.Cut(item, ":")
		l, err := strconv.Atoi(number)
		if err != nil {
			return fmt.Errorf("language: %w", err)
		}
		if l >= len(t.languages) {
			return fmt.Errorf("language %d of %d", l, len(t.languages))
		}
		p, err := strconv.ParseUint(points, 10, 8)
		if err != nil {
			return fmt.Errorf("points: %w", err)
		}
		scores[t.languages[l]] = int(p)
	}
	t.grams[key] = scores
	return nil
}

// addWords gives the English words of a list, one to a line and of at most
// four bytes, the points of a listed word, if they have less.
func (t *table) addWords(list string) error {
	for line := range strings.Lines(list) {
		word, _, _ := strings.Cut(line, "#")
		word = strings.TrimSpace(word)
		if word == "" {
			continue
		}
		var packed [4]byte
		if copy(packed[:], word) != len(word) {
			return fmt.Errorf("%q has more than four bytes", word)
		}
		key := ngram.Whole.Of(uint32(packed[0])<<24 | uint32(packed[1])<<16 | uint32(packed[2])<<8 | uint32(packed[3]))
		if t.grams[key] == nil {
			t.grams[key] = make(map[string]int)
		}
		t.grams[key]["en"] = max(t.grams[key]["en"], wordPoints)
	}
	return nil
}

// model returns the table in the order of a file.
func (t *table) model() *ngram.Model {
	m := &ngram.Model{Languages: slices.Sorted(slices.Values(t.languages)), Base: base}
	m.Keys = slices.Sorted(maps.Keys(t.grams))
	for _, key := range m.Keys {
		scores := t.grams[key]
		m.Counts = append(m.Counts, byte(len(scores)))
		for l, code := range m.Languages {
			if points, ok := scores[code]; ok {
				m.Spoken = append(m.Spoken, byte(l))
				m.Points = append(m.Points, byte(points))
			}
		}
	}
	return m
}
