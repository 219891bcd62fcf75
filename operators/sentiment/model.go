package sentiment

import (
	"fmt"
	"strings"
)

// Model scores texts. A Model is immutable, and any number of goroutines may
// use it concurrently.
type Model interface {
	// Polarity returns the sentiment of a UTF-8 text in ten-thousandths,
	// between -10000 and 10000. 0 is neutral, and the result for a text without
	// any known word. Polarity is a pure function of the bytes. Any text is
	// legal, including invalid UTF-8 and the empty text. It neither changes nor
	// keeps the text.
	Polarity(text []byte) int32
}

// Lexicon names the VADER model, which is part of the binary.
const Lexicon = "lexicon"

// Names returns the names that [New] knows, sorted.
func Names() []string { return []string{Lexicon} }

// New builds the model called name. Building "lexicon" takes some milliseconds:
// do it once for a plan that needs it, and share the result. For an unknown
// name it returns an error that lists the known ones.
func New(name string) (Model, error) {
	if name != Lexicon {
		return nil, fmt.Errorf("sentiment: unknown model %q, have %s", name, strings.Join(Names(), ", "))
	}
	return newVader(), nil
}
