package sentiment

import (
	"fmt"
	"slices"
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

// constructors lists the models by name. It is a function and not a variable
// so that nothing can change it.
func constructors() map[string]func() (Model, error) {
	return map[string]func() (Model, error){
		Lexicon: func() (Model, error) { return newVader() },
	}
}

// Names returns the names that [New] knows, sorted.
func Names() []string {
	var names []string
	for name := range constructors() {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// New builds the model called name. Building "lexicon" takes some
// milliseconds: do it once for a plan that needs it, and share the result. An
// unknown name is an error that lists the known ones.
func New(name string) (Model, error) {
	construct, ok := constructors()[name]
	if !ok {
		return nil, fmt.Errorf("sentiment: unknown model %q, have %s", name, strings.Join(Names(), ", "))
	}
	model, err := construct()
	if err != nil {
		return nil, fmt.Errorf("sentiment: build model %q: %w", name, err)
	}
	return model, nil
}
