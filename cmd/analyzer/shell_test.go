package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs"
	"analyzer/compose/answers"
)

// An interrupt that comes between two lines ends neither the shell nor the next statement:
// the terminal sends one where the prompt is there and the line editor is not yet.
func TestInterruptBetweenLines(t *testing.T) {
	var out, notes bytes.Buffer
	p := &program{console: console{stdin: strings.NewReader(""), stdout: &out, stderr: &notes}, fs: vfs.OS(), own: vfs.Private(), settings: new(settings.Settings), choices: choices{format: answers.CSV}, began: time.Now()}
	sh := &shell{asker: &asker{runner: runner{p}, Session: p.session()}}
	interrupts := make(chan os.Signal, 1)
	interrupts <- os.Interrupt
	sh.run(t.Context(), interrupts, "SELECT 3 AS sum")
	if out.String() != "sum\n3\n" || strings.Contains(notes.String(), "interrupt") {
		t.Errorf("the answer is %q, the notes %q", &out, &notes)
	}
}

func TestCompletionsOfCommands(t *testing.T) {
	p := &program{fs: vfs.NewMem(), own: vfs.NewMem(), choices: choices{tables: map[string]string{"films": "films.csv"}}}
	sh := &shell{asker: &asker{runner: runner{p}, Session: p.session()}}
	sh.words = sh.Completer()
	for head, want := range map[string]string{
		".s":         ` [.schema]`,
		" .M":        `  [.mode]`,
		".mode mark": `.mode  [markdown]`,
		".schema F":  `.schema  [films]`,
		".limit 1":   `.limit  []`,
		".read 'x":   `.read  []`,
		"sel":        ` [select]`,
	} {
		start, words := sh.complete(head, "")
		if got := fmt.Sprintf("%s %s", start, words); got != want {
			t.Errorf("%q: %q, want %q", head, got, want)
		}
	}
}

// What the editor could not show or would obey is not proposed.
func TestTypeable(t *testing.T) {
	got := typeable([]string{"'a.csv'", "'ü漢.csv'", "'tab\tand\nline.csv'", "'esc\x1b[31m.csv'", "'\xff.csv'", "'\u202e.csv'"})
	if want := []string{"'a.csv'", "'ü漢.csv'", "'tab␉and␤line.csv'"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A shell keeps what others have written into the history while it ran.
func TestHistoryOfTwoShells(t *testing.T) {
	t.Setenv("HOME", "/home") // without one there is no history
	t.Setenv("XDG_CACHE_HOME", "/cache")
	own := vfs.NewMem()
	var shells [2]*shell
	for i := range shells {
		shells[i] = &shell{asker: &asker{runner: runner{&program{own: own}}}, line: &keyboard{State: newEditor(nil)}}
		t.Cleanup(func() { _ = shells[i].line.State.Close() })
		if err := shells[i].readHistory(); err != nil {
			t.Fatal(err)
		}
	}
	for i, sh := range shells {
		sh.remember(fmt.Sprintf("SELECT %d;", i))
		if err := sh.writeHistory(); err != nil {
			t.Fatal(err)
		}
	}
	third := &shell{asker: shells[0].asker, line: shells[0].line}
	third.line.ClearHistory()
	if err := third.readHistory(); err != nil {
		t.Fatal(err)
	}
	var kept bytes.Buffer
	if _, err := third.line.WriteHistory(&kept); err != nil || kept.String() != "SELECT 0;\nSELECT 1;\n" {
		t.Errorf("the history is %q, error %v", &kept, err)
	}
}
