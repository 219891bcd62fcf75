package exit

import (
	"encoding/json"
	"errors"
	"strings"

	"analyzer/columnar/scan"
	"analyzer/operators/query/sql"
)

// Style writes a message.
type Style func(Message) string

// Styles are the styles by name.
func Styles() map[string]Style { return map[string]Style{"text": Text, "json": JSON} }

// Text writes a message for people, and the hint on a line of its own.
func Text(m Message) string {
	text := "analyzer: " + strings.TrimRight(m.Err.Error(), "\n") + "\n"
	if m.Hint != "" {
		text += m.Hint + "\n"
	}
	return text
}

// spoken is a message as JSON.
type spoken struct {
	Error  string `json:"error"`
	Kind   string `json:"kind"` // usage, input, failed, stopped
	Status int    `json:"status"`
	Place  *place `json:"place,omitempty"` // none: it is about no place in a file or a statement
	Next   string `json:"next,omitempty"`
}

// place is where something is wrong: in a file, or in a statement if there is no file.
type place struct {
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Column int    `json:"column,omitempty"` // of a line, in code points
}

// JSON writes a message for programs, an object on a line.
func JSON(m Message) string {
	out := spoken{Error: strings.TrimSpace(m.Err.Error()), Kind: m.Kind, Status: m.Status, Next: strings.TrimPrefix(m.Hint, "Next: ")}
	if shown, ok := errors.AsType[*sql.Shown](m.Err); ok {
		out.Error, out.Place = shown.Err.Error(), &place{Line: int64(shown.Line), Column: shown.Column}
	} else if input, ok := errors.AsType[*scan.InputError](m.Err); ok {
		out.Place = &place{File: input.File, Line: input.Line}
	} else if m.File != "" {
		out.Place = &place{File: m.File, Line: m.Line}
	}
	text, err := json.Marshal(out)
	if err != nil { // of strings and numbers
		return Text(m)
	}
	return string(text) + "\n"
}
