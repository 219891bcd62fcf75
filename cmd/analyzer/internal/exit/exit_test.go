package exit

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"

	"analyzer/columnar/budget"
	"analyzer/columnar/scan"
	"analyzer/compose/session/fault"
	"analyzer/operators/query/sql"
)

func TestReport(t *testing.T) {
	stopped, cancel := context.WithCancelCause(context.Background())
	cancel(&Interrupted{Signal: os.Interrupt})
	terminated, cancel := context.WithCancelCause(context.Background())
	cancel(&Interrupted{Signal: syscall.SIGTERM})
	tests := map[string]struct {
		ctx    context.Context
		err    error
		status int
		lines  []string // a part of each line
	}{
		"nothing":       {err: nil, status: 0},
		"usage":         {err: fault.WrongUsage("Try: analyzer help", "no %s", "flag"), status: 2, lines: []string{"analyzer: no flag", "Try: analyzer help"}},
		"wrapped usage": {err: fmt.Errorf("here: %w", fault.WrongUsage("Try", "x")), status: 2, lines: []string{"analyzer: here: x", "Try"}},
		"said before":   {err: &fault.Error{}, status: 1},
		"input": {
			err: fmt.Errorf("open table games: %w", &scan.InputError{
				File: "games.csv", Line: 1, Reason: scan.ReasonDelimiter, Detail: "separated by semicolons", Hint: "save it again with commas",
			}),
			status: 3, lines: []string{"analyzer: games.csv:1: separated by semicolons", "Next: save it again with commas."},
		},
		"input without hint": {
			err: &scan.InputError{File: "x.csv", Detail: "damaged"}, status: 3, lines: []string{"analyzer: x.csv: damaged", "--table"},
		},
		"too many rejects": {
			err:    &scan.InputError{File: "x.csv", Reason: scan.ReasonTooManyRejects, Detail: "11 rows", Err: scan.ErrTooManyRejects},
			status: 3, lines: []string{"x.csv: 11 rows", "--max-rejects"},
		},
		"bad input":      {err: fault.BadInput("Look", errors.New("no file")), status: 3, lines: []string{"no file", "Look"}},
		"interrupted":    {ctx: stopped, err: context.Canceled, status: 130, lines: []string{"interrupt", "No files"}},
		"terminated":     {ctx: terminated, err: errors.New("x"), status: 143, lines: []string{"terminated", "No files"}},
		"done anyway":    {ctx: stopped, err: nil, status: 0},
		"reader is gone": {err: fmt.Errorf("write: %w", syscall.EPIPE), status: 141},
		"little memory":  {err: fmt.Errorf("list: %w", &budget.ExceededError{What: "its values", Most: 5 << 20}), status: 1, lines: []string{"its values take more than the 5.0 MiB", "a larger --memory"}},
		"disk full":      {err: &fs.PathError{Op: "write", Path: "/tmp/x", Err: syscall.ENOSPC}, status: 1, lines: []string{"/tmp/x", "free some space"}},
		"permission":     {err: &fs.PathError{Op: "open", Path: "/x", Err: syscall.EACCES}, status: 1, lines: []string{"/x", "allow access"}},
		"large file":     {err: &fs.PathError{Op: "write", Path: "/x", Err: syscall.EFBIG}, status: 1, lines: []string{"/x", "allow larger files"}},
		"long name":      {err: &fs.PathError{Op: "open", Path: "/x", Err: syscall.ENAMETOOLONG}, status: 1, lines: []string{"/x", "shorter name"}},
		"anything":       {err: errors.New("bug"), status: 1, lines: []string{"bug", "report it"}},
	}
	for name, tt := range tests {
		ctx := tt.ctx
		if ctx == nil {
			ctx = context.Background()
		}
		var out strings.Builder
		if got := Report(ctx, &out, Text, tt.err); got != tt.status {
			t.Errorf("%s: status %d, want %d", name, got, tt.status)
		}
		lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
		if out.Len() == 0 {
			lines = nil
		}
		if len(lines) != len(tt.lines) {
			t.Errorf("%s: wrote %q", name, out.String())
			continue
		}
		for i, part := range tt.lines {
			if !strings.Contains(lines[i], part) {
				t.Errorf("%s: line %q does not say %q", name, lines[i], part)
			}
		}
	}
}

func TestJSON(t *testing.T) {
	const text = "SELECT a,\n  ä, bb FROM t"
	mistake := sql.Show(text, &sql.Error{At: sql.Span{Begin: strings.Index(text, "bb"), End: len(text)}, What: "there is no column \"bb\""})
	for _, tt := range []struct {
		err  error
		want string
	}{
		{fault.WrongUsage("Did you mean b?", "%w", mistake), `{"error":"there is no column \"bb\"","kind":"usage","status":2,"place":{"line":2,"column":6},"next":"Did you mean b?"}`},
		{
			&scan.InputError{File: "x.csv", Line: 7, Detail: "damaged", Hint: "save it again"},
			`{"error":"x.csv:7: damaged","kind":"input","status":3,"place":{"file":"x.csv","line":7},"next":"save it again."}`,
		},
		{
			&fault.Error{Hint: "Next: look", Err: errors.New("no number"), File: "x.csv", Line: 7},
			`{"error":"no number","kind":"failed","status":1,"place":{"file":"x.csv","line":7},"next":"look"}`,
		},
		{errors.New("two\nlines"), `{"error":"two\nlines","kind":"failed","status":1,"next":"run it again; if it fails again, report it with this message."}`},
	} {
		var out strings.Builder
		Report(t.Context(), &out, JSON, tt.err)
		if got := strings.TrimSuffix(out.String(), "\n"); got != tt.want {
			t.Errorf("%v is\n%s, want\n%s", tt.err, got, tt.want)
		}
	}
}
