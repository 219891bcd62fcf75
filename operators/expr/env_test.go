package expr

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"analyzer/columnar"
	"analyzer/operators/sentiment"
)

// TestEnvMakesEachModelOnce compiles from several goroutines.
func TestEnvMakesEachModelOnce(t *testing.T) {
	detectors, models := 0, map[string]int{}
	env := newEnv(
		func() (LanguageDetector, error) { detectors++; return testDetector{}, nil },
		func(name string) (sentiment.Model, error) { models[name]++; return testModel{}, nil },
	)
	s := columnar.Schema{{Name: "t", Type: columnar.Text}}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, e := range []*Expr{Language(Col("t")), Polarity(Col("t"), Str("x")), Sentiment(Col("t"), Str("y")), Lower(Col("t"))} {
				if _, err := Compile(e, s, env); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if detectors != 1 || models["x"] != 1 || models["y"] != 1 {
		t.Errorf("made %d detectors and models %v", detectors, models)
	}
}

func TestEnvTriesAgain(t *testing.T) {
	broken := errors.New("no tables")
	fail := broken
	env := newEnv(
		func() (LanguageDetector, error) { return testDetector{}, fail },
		func(string) (sentiment.Model, error) { return testModel{}, fail },
	)
	s := columnar.Schema{{Name: "t", Type: columnar.Text}}
	for _, e := range []*Expr{Language(Col("t")), Polarity(Col("t"), Str("x"))} {
		fail = broken
		if _, err := Compile(e, s, env); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		fail = nil
		if _, err := Compile(e, s, env); err != nil {
			t.Error(err)
		}
	}
}

// TestModels runs the models of the binary.
func TestModels(t *testing.T) {
	s, cols := columnsOf([]columnar.Type{columnar.Text}, [][]datum{
		{"What a wonderful, great film! I love it."},
		{"Terrible. The worst and most boring waste of time, I hate it."},
		{"Esta película es una historia maravillosa sobre la vida en el campo."},
		{nil},
	})
	env := NewEnv()
	for _, c := range []struct {
		expr *Expr
		want []string
	}{
		{Language(Col("a")), []string{`"en"`, `"en"`, `"es"`, "null"}},
		{Sentiment(Col("a"), Str("lexicon")), []string{`"positive"`, `"negative"`, `"positive"`, "null"}},
		{Gt(Polarity(Col("a"), Str("lexicon")), Dec(500_000)), []string{"true", "false", "false", "null"}},
	} {
		ev, err := Compile(c.expr, s, env)
		if err != nil {
			t.Fatal(err)
		}
		v, err := ev.Eval(cols, 4)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			if got := show(datumAt(v, i)); got != want {
				t.Errorf("%s in row %d is %s, want %s", c.expr, i, got, want)
			}
		}
	}
	_, err := Compile(Polarity(Col("a"), Str("oracle")), s, env)
	if err == nil || !strings.Contains(err.Error(), `"oracle"`) || !strings.Contains(err.Error(), "lexicon") {
		t.Errorf("error %v", err)
	}
}
