package session_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
)

// attempt answers a statement, and counts how often run is called for that.
func attempt(t *testing.T, ses *session.Session, text string, run func(engine.Options, engine.Answers) (*engine.Report, error)) (got string, tries int, err error) {
	t.Helper()
	asked, err := ses.Prepare(t.Context(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	var b strings.Builder
	out, err := answers.NewStream(&b, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = asked.Attempt(t.Context(), func(_ datasets.Selection, o engine.Options) (*engine.Report, error) {
		tries++
		return run(o, out)
	})
	return b.String(), tries, err
}

// A wide table of which each column shows in a later part of the file that it holds text is tried
// a few times, and then read to its end first.
func TestFewGuesses(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	const columns, rowsEach = 20, 4000
	var file bytes.Buffer
	for c := range columns {
		fmt.Fprintf(&file, "c%d,", c)
	}
	file.WriteString("id\n")
	for row := range columns * rowsEach {
		for c := range columns {
			if row == (c+1)*rowsEach-1 {
				fmt.Fprintf(&file, "word%d,", c)
			} else {
				fmt.Fprintf(&file, "%d,", 1_000_000+row)
			}
		}
		fmt.Fprintf(&file, "%d\n", row)
	}
	ses := over(memory("/wide.csv", file.String()))
	var wanted, named []string
	for c := range columns {
		named = append(named, fmt.Sprintf("max(c%d)", c))
		wanted = append(wanted, fmt.Sprintf("word%d", c))
	}
	got, tries, err := attempt(t, ses, "SELECT "+strings.Join(named, " || ' ' || ")+" AS m FROM '/wide.csv'", func(o engine.Options, out engine.Answers) (*engine.Report, error) {
		return engine.Run(t.Context(), o, out)
	})
	if want := "m\n" + strings.Join(wanted, " ") + "\n"; err != nil || got != want {
		t.Errorf("%q, error %v; want %q", got, err, want)
	}
	if tries < 2 || tries > 5 {
		t.Errorf("it was tried %d times", tries)
	}
}

// Types that are wrong although the files were read to their ends are an error that says so.
func TestGuessesEnd(t *testing.T) {
	ses := over(memory("/a.csv", "id\n1\n2\n"))
	_, tries, err := attempt(t, ses, "SELECT sum(id) FROM '/a.csv'", func(engine.Options, engine.Answers) (*engine.Report, error) {
		return nil, engine.ErrGuess
	})
	wrong, ok := errors.AsType[*fault.Error](err)
	if !ok || wrong.Kind != fault.Input || !errors.Is(err, engine.ErrGuess) || !strings.Contains(wrong.Hint, "name the types") {
		t.Errorf("%v", err)
	}
	if tries != 5 {
		t.Errorf("it was tried %d times", tries)
	}
}

// A column of truth values is compared with the words of its file, whatever they are.
func TestWordsOfTruthValues(t *testing.T) {
	for _, c := range []struct{ yes, no, literal string }{
		{"Y", "N", "Y"}, {"T", "F", "t"}, {"J", "N", "J"}, {"yes", "no", "Yes"}, {"ja", "nein", "ja"}, {"oui", "non", "OUI"}, {"true", "false", "1"},
	} {
		ses := over(memory("/flags.csv", "id,flag\n1,"+c.yes+"\n2,"+c.no+"\n3,"+c.yes+"\n"))
		got, err := answer(t, ses, "SELECT id, flag IN ('"+c.literal+"') AS same FROM '/flags.csv' WHERE flag = '"+c.literal+"' ORDER BY id")
		if err != nil || got != "id,same\n1,true\n3,true\n" {
			t.Errorf("%s: %q, error %v", c.literal, got, err)
		}
	}
}
