package expr

import (
	"sync"

	"analyzer/operators/language"
	"analyzer/operators/sentiment"
)

// LanguageDetector finds the language of a UTF-8 text and returns its code. It
// is a pure function of the text, neither changes nor keeps it, and is used by
// several goroutines at once.
type LanguageDetector interface {
	Detect(text []byte) string
}

// SentimentModel scores a UTF-8 text from -10000, negative, to 10000, positive.
// It is a pure function of the text, neither changes nor keeps it, and is used
// by several goroutines at once.
type SentimentModel interface {
	Polarity(text []byte) int32
}

// Env has the text models that expressions use. It makes a model when an
// expression first asks for it, and keeps it for the next; after an error it
// tries again. An Env may be used by several goroutines at once.
type Env struct {
	newDetector  func() (LanguageDetector, error)
	newSentiment func(name string) (SentimentModel, error)

	mu         sync.Mutex
	detector   LanguageDetector
	sentiments map[string]SentimentModel
}

// NewEnv returns an environment with the models of packages language and
// sentiment.
func NewEnv() *Env {
	return NewEnvOf(
		func() (LanguageDetector, error) { return language.New() },
		func(name string) (SentimentModel, error) { return sentiment.New(name) },
	)
}

// NewEnvOf returns an environment whose models are made by the given functions.
func NewEnvOf(newDetector func() (LanguageDetector, error), newSentiment func(name string) (SentimentModel, error)) *Env {
	return &Env{
		newDetector: newDetector, newSentiment: newSentiment,
		sentiments: make(map[string]SentimentModel),
	}
}

func (v *Env) language() (LanguageDetector, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.detector == nil {
		d, err := v.newDetector()
		if err != nil {
			return nil, err
		}
		v.detector = d
	}
	return v.detector, nil
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
