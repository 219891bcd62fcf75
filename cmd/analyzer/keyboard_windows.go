package main

import (
	"context"

	"github.com/peterh/liner"
)

// keyboard is the line editor. On this system it reads keys from the console itself, where what
// is pasted is the same as what is typed.
type keyboard struct{ *liner.State }

// newKeyboard starts a line editor.
func newKeyboard(complete completer) (*keyboard, error) {
	return &keyboard{newEditor(complete)}, nil
}

// read returns a line, without its end.
func (k *keyboard) read(ctx context.Context, prompt string) (string, error) {
	if err := context.Cause(ctx); err != nil {
		return "", err
	}
	line, err := k.Prompt(prompt)
	return meant(line), err
}
