package main

import (
	"bytes"
	"os"
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
