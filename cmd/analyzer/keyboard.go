//go:build unix

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/peterh/liner"
	"golang.org/x/sys/unix"
)

// What tells a terminal to mark the beginning and end of what is pasted, or not to, and its marks.
const (
	markPastes, dontMark = "\x1b[?2004h", "\x1b[?2004l"
	pasteBegin, pasteEnd = "\x1b[200~", "\x1b[201~"
)

// keyboard lies between the terminal and the line editor, which cannot tell what is pasted from
// what is typed.
type keyboard struct {
	*liner.State
	typed, passed *os.File // a pipe: the editor reads typed, what is typed is passed on to passed
	pasting       bool
	recent        [len(pasteBegin)]byte // the last bytes that were typed
}

// newKeyboard starts a line editor.
func newKeyboard(complete completer) (*keyboard, error) {
	typed, passed, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to the line editor: %w", err)
	}
	// The editor keeps the file that is the standard input while it is made. It sets modes by
	// the number of the standard input, which stays the terminal's.
	terminal := os.Stdin
	os.Stdin = typed
	k := &keyboard{State: newEditor(complete), typed: typed, passed: passed}
	os.Stdin = terminal
	return k, nil
}

// Close resets the terminal.
func (k *keyboard) Close() error {
	err := k.State.Close()
	_ = k.passed.Close() // already closed if the input has ended
	return errors.Join(err, k.typed.Close())
}

// read returns a line, without its end. It is io.EOF when the context ends, too.
func (k *keyboard) read(ctx context.Context, prompt string) (line string, err error) {
	stopped, stop, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("read a line: %w", err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		k.pass(ctx, stopped)
	}()
	unhook := context.AfterFunc(ctx, func() { _ = stop.Close() }) // nothing was written
	defer func() {
		unhook()
		_ = stop.Close() // already closed if the context has ended
		<-done
		err = errors.Join(err, stopped.Close())
	}()
	if liner.TerminalSupported() {
		fmt.Print(markPastes) // to the terminal that the editor writes to
		defer fmt.Print(dontMark)
	}
	if line, err = k.Prompt(prompt); errors.Is(err, io.EOF) {
		fmt.Println() // what comes next does not stand behind the prompt
	}
	return meant(line), err
}

// pass passes on what is typed until the other end of stopped is closed. The editor's input ends
// with that of the terminal, and with the context.
func (k *keyboard) pass(ctx context.Context, stopped *os.File) {
	piece := make([]byte, 1<<10) // three times as much fits into a pipe that has room
	for ready(stopped, k.passed, unix.POLLOUT) && ready(stopped, os.Stdin, unix.POLLIN) {
		n, err := os.Stdin.Read(piece)
		if err == nil {
			_, err = k.passed.Write(k.replace(piece[:n]))
		}
		if err != nil {
			_ = k.passed.Close()
			return
		}
	}
	if ctx.Err() != nil {
		_ = k.passed.Close()
	}
}

// ready waits until a file can be read or written, and reports false if stopped is closed before.
func ready(stopped, f *os.File, event int16) bool {
	for {
		files := []unix.PollFd{{Fd: int32(stopped.Fd()), Events: unix.POLLIN}, {Fd: int32(f.Fd()), Events: event}}
		if _, err := unix.Poll(files, -1); err != nil && !errors.Is(err, unix.EINTR) {
			return false
		}
		if files[0].Revents != 0 {
			return false
		}
		if files[1].Revents != 0 {
			return true
		}
	}
}

// replace replaces the tabulators in a piece of what is typed that are pasted: those between the
// terminal's marks, and those that something else has arrived behind, since terminals may not mark.
func (k *keyboard) replace(piece []byte) []byte {
	typed := len(bytes.TrimRight(piece, "\t"))
	var out []byte
	for i, b := range piece {
		copy(k.recent[:], k.recent[1:])
		k.recent[len(k.recent)-1] = b
		switch string(k.recent[:]) {
		case pasteBegin:
			k.pasting = true
		case pasteEnd:
			k.pasting = false
		}
		if b == '\t' && (k.pasting || i < typed) {
			out = append(out, pastedTab...)
		} else {
			out = append(out, b)
		}
	}
	return out
}
