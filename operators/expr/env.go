package expr

import (
	"errors"
	"sync"

	"analyzer/operators/sentiment"
)

// LanguageDetector finds the language of a UTF-8 text and returns its code. It
// neither changes nor keeps the text, gives equal texts equal answers, and is
// used by one goroutine at a time.
type LanguageDetector interface {
	Detect(text []byte) string
}

// SentimentModel scores a UTF-8 text from -10000, negative, to 10000, positive.
// It neither changes nor keeps the text, gives equal texts equal answers, and is
// used by several goroutines at once.
type SentimentModel interface {
	Polarity(text []byte) int32
}

// Env has the text models that expressions use. It makes a sentiment model when
// an expression first asks for it, and keeps it for the next. An Env may be used
// by several goroutines at once.
type Env struct {
	newDetector  func() (LanguageDetector, error)
	newSentiment func(name string) (SentimentModel, error)

	mu         sync.Mutex
	sentiments map[string]SentimentModel
}

// NewEnv returns an environment with the models of packages language and
// sentiment.
func NewEnv() *Env {
	return NewEnvOf(
		func() (LanguageDetector, error) { return nil, errors.New("no language detector") },
		func(name string) (SentimentModel, error) { return sentiment.New(name) },
	)
}

// NewEnvOf returns an environment whose models come from the given functions.
// Each Compile of an expression that detects languages calls newDetector;
// newSentiment is called once for each name, and again after an error.
func NewEnvOf(newDetector func() (LanguageDetector, error), newSentiment func(name string) (SentimentModel, error)) *Env {
	return &Env{
		newDetector: newDetector, newSentiment: newSentiment,
		sentiments: make(map[string]SentimentModel),
	}
}

func (v *Env) sentiment(name string) (SentimentModel, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if m, ok := v.sentiments[name]; ok {
		return m, nil
	}
	m, err := v.newSentiment(name)
	if err != nil {
		return nil, err
	}
	v.sentiments[name] = m
	return m, nil
}
