// Package text writes the words of generated files: it holds the vocabulary,
// fills in sentences, and appends CSV cells and Python literals to a buffer.
//
// # Vocabulary
//
// The files under words hold sections. A section begins with its name in
// brackets and holds one entry per line. "words" after the name says that white
// space separates entries (an underscore is a space inside an entry), and
// "weighted" that each line begins with a weight and a bar. Lines that begin
// with # are comments. An entry read as a phrase may name other sections in
// braces, each of which is replaced by one of its entries, chosen anew each time.
package text

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"analyzer/datasets/generate/internal/draw"
)

//go:embed words/*.txt
var words embed.FS

// Lexicon is the vocabulary, by section. Err, rather than each call, reports
// sections that are missing or malformed, so that a generator can collect its
// lists first and check once.
type Lexicon struct {
	sections map[string][]string
	errs     []error
}

// Load reads the built-in vocabulary.
func Load() *Lexicon {
	files, err := words.ReadDir("words")
	l := &Lexicon{sections: map[string][]string{}, errs: []error{err}}
	for _, file := range files {
		content, err := words.ReadFile("words/" + file.Name())
		l.errs = append(l.errs, err)
		l.parse(string(content))
	}
	return l
}

func (l *Lexicon) parse(content string) {
	section, split := "", false
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[' && strings.Contains(line, "]"):
			name, kind, _ := strings.Cut(line[1:], "]")
			section, split = name, strings.TrimSpace(kind) == "words"
		case split:
			for word := range strings.FieldsSeq(line) {
				l.sections[section] = append(l.sections[section], strings.ReplaceAll(word, "_", " "))
			}
		default:
			l.sections[section] = append(l.sections[section], line)
		}
	}
}

// List returns the entries of a section, which the caller must not change.
func (l *Lexicon) List(section string) []string {
	list := l.sections[section]
	if len(list) == 0 {
		l.errs = append(l.errs, fmt.Errorf("vocabulary: no section %q", section))
		return []string{""}
	}
	return list
}

// Weighted returns the entries of a weighted section, without their weights, and
// the odds of each.
func (l *Lexicon) Weighted(section string) ([]string, draw.Odds) {
	var entries []string
	var weights []int
	for _, line := range l.List(section) {
		number, entry, _ := strings.Cut(line, "|")
		weight, err := strconv.Atoi(number)
		if err != nil || weight < 1 {
			l.errs = append(l.errs, fmt.Errorf("vocabulary: section %q: %q has no weight", section, line))
			weight = 1
		}
		entries, weights = append(entries, entry), append(weights, weight)
	}
	return entries, draw.NewOdds(weights)
}

// Phrases compiles the entries of a section as phrases.
func (l *Lexicon) Phrases(section string) Phrases {
	return l.compile(l.List(section))
}

// Err returns errors for all requested sections that were missing or malformed, and for
// files that could not be loaded.
func (l *Lexicon) Err() error { return errors.Join(l.errs...) }
