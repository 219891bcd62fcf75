package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/term"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/columnar/vfs/stop"
)

// program holds what all commands share. Each command is a type of its own that embeds it.
type program struct {
	console
	fs       vfs.FS // for files of the user
	own      vfs.FS // for files of the program: journals, spill, state
	began    time.Time
	settings *settings.Settings // of the command
	choices
	spillTried bool // there may be files below --spill-dir
}

// newProgram returns it with its standard output.
func newProgram(ctx context.Context) (*program, *outlet) {
	out := &outlet{Writer: stop.Writer(ctx, os.Stdout)}
	p := &program{
		console: console{stdin: os.Stdin, stdout: out, stderr: os.Stderr},
		fs:      remote.Over(stop.Files(ctx, vfs.OS()), remote.Config{}), own: vfs.Private(), began: time.Now(),
	}
	if term.IsTerminal(int(os.Stdout.Fd())) {
		p.width, p.height = dimensions(os.Stdout)
	}
	if term.IsTerminal(int(os.Stderr.Fd())) && os.Getenv("TERM") != "dumb" {
		p.progress = progress.New(os.Stderr, func() int { width, _ := dimensions(os.Stderr); return width }, time.Now)
	}
	return p, out
}

// thisProgram returns the path of the program, which also runs something else.
func thisProgram(runs string) (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find this program, which %s: %w", runs, err)
	}
	return path, nil
}

// dimensions returns the columns and rows of a terminal. One that does not tell is assumed to
// have 80 by 24, as old ones did.
func dimensions(f *os.File) (columns, rows int) {
	if columns, rows, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 && rows > 0 {
		return columns, rows
	}
	return 80, 24
}
