package main

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"analyzer/columnar/vfs"
)

var update = flag.Bool("update", false, "rewrite the help in testdata")

// TestHelp holds the help of the program and of every command to a file, and to
// the width of a terminal.
func TestHelp(t *testing.T) {
	var got bytes.Buffer
	p := &program{console: console{stdout: &got, stderr: &got}, fs: vfs.OS(), own: vfs.Private()}
	app := p.app()
	lines := [][]string{{"analyzer", "help"}}
	for _, c := range app.VisibleCommands() {
		lines = append(lines, []string{"analyzer", c.Name, "--help"})
		for _, sub := range c.Subcommands {
			lines = append(lines, []string{"analyzer", c.Name, sub.Name, "--help"})
		}
	}
	for _, line := range lines {
		got.WriteString("$ " + strings.Join(line, " ") + "\n")
		if err := p.app().Run(line); err != nil {
			t.Fatal(err)
		}
		got.WriteString("\n")
	}
	for line := range strings.Lines(got.String()) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > helpWidth || strings.ContainsAny(line, "`\t") || strings.TrimRight(line, " ") != line {
			t.Errorf("%q", line)
		}
	}
	const golden = "testdata/help.golden"
	if *update {
		if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got.Bytes(), want) {
		t.Errorf("help has changed; if that is right, go test ./cmd/analyzer -run Help -update\n%s", got.Bytes())
	}
}
