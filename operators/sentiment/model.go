package sentiment

import (
	"fmt"
	"strings"
)

// Model scores texts. A Model is immutable and may be used by any number of
// goroutines at once.
type Model interface {
	// Polarity returns the sentiment of a UTF-8 text in ten-thousandths,
	// between -10000 and 10000; 0 is neutral, and the answer for a text
	// without any known word. It is a pure function of the bytes: any text is
	// legal, invalid UTF-8 and the empty text included. The text is neither
	// changed nor kept.
	Polarity(text []byte) int32
}

// Lexicon names the VADER model, which is part of the binary.
const Lexicon = "lexicon"

// Names returns the names that [New] knows, sorted.
func Names() []string { return []string{Lexicon} }

// New builds the model called name. Building "lexicon" takes some
// milliseconds: do it once for a plan that needs it, and share the result. An
// unknown name is an error that lists the known ones.
func New(name string) (Model, error) {
	if name != Lexicon {
		return nil, fmt.Errorf("sentiment: unknown model %q, have %s", name, strings.Join(Names(), ", "))
	}
	return newVader(), nil
}
