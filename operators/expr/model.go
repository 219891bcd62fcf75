package expr

import (
	"fmt"
	"sync"

	"analyzer/columnar"
	"analyzer/operators/language"
	"analyzer/operators/registry"
	"analyzer/operators/sentiment"
)

// The functions that run a text model.
const (
	OpSentiment Op = "sentiment"
	OpPolarity  Op = "polarity"
	OpLanguage  Op = "language"
)

// Sentiment is 'positive' where the polarity of a text is not negative, else
// 'negative'. The model's name must be a Text literal once parameters are bound.
func Sentiment(text, model *Expr) *Expr { return Call(OpSentiment, text, model) }

// Polarity is how positive a text is, as a Decimal that is a multiple of 0.0001.
// The model's name must be a Text literal once parameters are bound.
func Polarity(text, model *Expr) *Expr { return Call(OpPolarity, text, model) }

// Language is the ISO 639-1 code of the language a text is most likely written
// in, and empty where nothing in the text indicates one.
func Language(text *Expr) *Expr { return Call(OpLanguage, text) }

func init() { functions.Add(modelFunctions) }

func modelFunctions() []function {
	return []function{
		{
			op: OpSentiment, takes: "a text and the name of a model",
			types: only(columnar.Text, columnar.Text, columnar.Text),
			cost:  Expensive, build: buildSentiment,
		},
		{
			op: OpPolarity, takes: "a text and the name of a model",
			types: only(columnar.Decimal, columnar.Text, columnar.Text),
			cost:  Expensive, build: buildPolarity,
		},
		{
			op: OpLanguage, takes: "a text", types: oneOf(columnar.Text, columnar.Text),
			cost: Expensive, build: buildLanguage,
			doc: registry.Texts.Doc("language", "(text)", "the language of a text, as a code of two letters",
				"language('Das ist ein kurzer Satz.')", "de"),
		},
	}
}

// sentiment returns the model that the second argument names.
func (b *build) sentiment() (sentiment.Model, error) {
	name := b.literal(1)
	if name == nil {
		return nil, fmt.Errorf("the model must be named by a literal, not by %s", b.expr.Args[1].brief())
	}
	b.keep(0)
	return b.env.sentiments.get(name.Text)
}

func buildSentiment(b *build) (kernel, error) {
	model, err := b.sentiment()
	return eachText(func(dst, text []byte) []byte {
		if model.Polarity(text) < 0 {
			return append(dst, "negative"...)
		}
		return append(dst, "positive"...)
	}), err
}

func buildPolarity(b *build) (kernel, error) {
	model, err := b.sentiment()
	return eachRow(func(out *result, args []*columnar.Vector, i int) error {
		out.Ints[i] = int64(model.Polarity(args[0].Bytes(i))) * (decimalOne / 10_000)
		return nil
	}), err
}

func buildLanguage(b *build) (kernel, error) {
	detector, err := b.env.detectors.get("")
	if err != nil {
		return nil, fmt.Errorf("make the language detector: %w", err)
	}
	return eachText(func(dst, text []byte) []byte { return append(dst, detector.Detect(text)...) }), nil
}

// LanguageDetector finds the language of a UTF-8 text and returns its code. Detect is a
// pure function of the text, neither changes nor retains it, and must be safe for use by
// several goroutines at once.
type LanguageDetector interface {
	Detect(text []byte) string
}

// Env holds the text models that expressions use. It makes a model when an expression
// first needs it, and keeps it for later ones; after an error it tries again. An Env may
// be used by several goroutines at once.
type Env struct {
	detectors  models[LanguageDetector] // one, without a name
	sentiments models[sentiment.Model]
}

// NewEnv returns an environment with the models of packages language and
// sentiment.
func NewEnv() *Env {
	return newEnv(func() (LanguageDetector, error) { return language.New() }, sentiment.New)
}

func newEnv(detector func() (LanguageDetector, error), sentiments func(name string) (sentiment.Model, error)) *Env {
	e := &Env{}
	e.detectors.make = func(string) (LanguageDetector, error) { return detector() }
	e.sentiments.make = sentiments
	return e
}

// models makes models by name, each once.
type models[M any] struct {
	make func(name string) (M, error)
	mu   sync.Mutex
	made map[string]M
}

func (m *models[M]) get(name string) (M, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if model, ok := m.made[name]; ok {
		return model, nil
	}
	model, err := m.make(name)
	if err == nil {
		if m.made == nil {
			m.made = make(map[string]M)
		}
		m.made[name] = model
	}
	return model, err
}
