package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/peterh/liner"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/compose/answers"
	"analyzer/compose/session"
	"analyzer/operators/query/sql"
)

const shellHelp = `A statement ends with a semicolon, and may have several lines.
  .tables         tables of --table, and files here that statements can read
  .schema TABLE   the columns of a table or file, and their types
  .mode FORMAT    how answers are written: table, csv, tsv, json, jsonl, markdown
  .limit N        how many rows of a table are shown, 0 for all
  .print TEXT     write a text
  .read FILE      answer the statements in a file
  .help           this
  .quit           end, as Ctrl-D, quit and exit do
Tab completes words, and names of columns, functions and files. Up and down, and Ctrl-R,
find what was typed before. Ctrl-C ends a statement, not the shell. A pasted tabulator
is part of the statement, and shown as ␉, the end of a line of one found again as ␤.`

// pastedTab stands for a pasted tabulator in the line editor and in the history. The editor
// takes the character itself for the key that completes a word. lineEnd stands for the end of a
// line in a statement of several that is found again, which a space would change: behind a comment
// and in a text.
const pastedTab, lineEnd = "␉", "␤"

// shown is a text as the editor shows it, and meant as it is meant.
func shown(text string) string {
	return strings.NewReplacer("\t", pastedTab, "\n", lineEnd).Replace(text)
}

func meant(text string) string {
	return strings.NewReplacer(pastedTab, "\t", lineEnd, "\n").Replace(text)
}

// remember adds a statement or command to the history.
func (sh *shell) remember(text string) {
	sh.typed = append(sh.typed, shown(text))
	sh.line.AppendHistory(shown(text))
}

// typeable returns the completions that a line can have, as the editor shows them. Names of files may have any bytes.
func typeable(completions []string) []string {
	var out []string
	for _, c := range completions {
		if c = shown(c); utf8.ValidString(c) && answers.Visible(c) == c {
			out = append(out, c)
		}
	}
	return out
}

// completer proposes completions of what stands before the cursor, which begin behind start.
type completer func(head, tail string) (start string, completions []string)

// newEditor returns a line editor.
func newEditor(complete completer) *liner.State {
	e := liner.NewLiner()
	e.SetCtrlCAborts(true)
	e.SetMultiLineMode(true)
	e.SetTabCompletionStyle(liner.TabPrints)
	e.SetWordCompleter(func(line string, pos int) (string, []string, string) {
		text := []rune(line) // pos counts characters
		head, tail := string(text[:pos]), string(text[pos:])
		start, completions := complete(meant(head), meant(tail))
		return shown(start), typeable(completions), tail
	})
	return e
}

// shell answers statements typed at a terminal.
type shell struct {
	*asker
	line   *keyboard
	before string             // earlier lines of the unfinished statement
	words  *session.Completer // of that statement
	typed  []string           // since the shell began, for the history
}

func (ses *asker) shell(ctx context.Context) (err error) {
	sh := &shell{asker: ses}
	if sh.line, err = newKeyboard(sh.complete); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sh.line.Close()) }()
	if err := sh.readHistory(); err != nil {
		sh.notef("analyzer: what was typed before is not known: %v", err)
	}
	// Otherwise the first interrupt would end the program rather than a statement.
	signal.Reset(os.Interrupt)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	sh.notef("%s %s. Type .help for help.", name, version())
	for !sh.ended && ctx.Err() == nil {
		text, err := sh.read(ctx)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		sh.run(ctx, interrupts, text)
	}
	if err := sh.writeHistory(); err != nil {
		sh.notef("analyzer: what was typed is not kept: %v", err)
	}
	return context.Cause(ctx)
}

// complete proposes completions for the word before the cursor: they stand behind start.
func (sh *shell) complete(head, tail string) (start string, completions []string) {
	command, argument, complete := strings.Cut(strings.TrimLeft(head, " "), " ")
	argument = strings.TrimLeft(argument, " ")
	if sh.before != "" || !strings.HasPrefix(command, ".") || strings.ContainsAny(argument, "' ") {
		return sh.words.Complete(sh.before, head, tail)
	}
	begun, words := argument, []string(nil)
	switch {
	case !complete:
		begun, words = command, []string{".help", ".limit", ".mode", ".print", ".quit", ".read", ".schema", ".tables"}
	case command == ".mode":
		words = terminalFormats()
	case command == ".schema":
		words = sh.Readable()
	}
	return strings.TrimSuffix(head, begun), session.Completing(begun, words)
}

// read reads a command or statements; the text is empty if there are none.
func (sh *shell) read(ctx context.Context) (string, error) {
	prompt, text := "analyzer> ", ""
	sh.words = sh.Completer()
	for {
		sh.before = text
		line, err := sh.line.read(ctx, prompt)
		if errors.Is(err, liner.ErrPromptAborted) {
			return "", nil
		}
		if err != nil {
			return "", err
		}
		if command := commandIn(line); text == "" && command != "" {
			sh.remember(line)
			return command, nil
		}
		text += line + "\n"
		if _, rest := sql.Split(text); strings.TrimSpace(rest) == "" {
			if text = strings.TrimSpace(text); text != "" {
				sh.remember(text)
			}
			return text, nil
		}
		prompt = "     ...> "
	}
}

// commandIn returns the command that a line is, "" if it is none. Words that other shells take mean
// the same here: quit, exit and help, and \q, \? and \d of PostgreSQL's.
func commandIn(line string) string {
	line = strings.TrimSpace(line)
	word, argument, _ := strings.Cut(strings.TrimSuffix(line, ";"), " ")
	switch word = strings.ToLower(word); {
	case strings.HasPrefix(line, "."):
		return line
	case argument == "" && (word == "quit" || word == "exit" || word == `\q`):
		return ".quit"
	case argument == "" && (word == "help" || word == `\?`):
		return ".help"
	case word == `\d` && argument != "":
		return ".schema " + argument
	case argument == "" && (word == `\d` || word == `\dt`):
		return ".tables"
	}
	return ""
}

// run executes what was typed until it is done or interrupted, and reports errors.
func (sh *shell) run(outer context.Context, interrupts <-chan os.Signal, text string) {
	select {
	case <-interrupts: // an earlier one, meant for the line
	default:
	}
	ctx, cancel := context.WithCancelCause(outer)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		select {
		case s := <-interrupts:
			cancel(&exit.Interrupted{Signal: s})
		case <-done:
		}
	}()
	sh.began = time.Now()
	sh.width, sh.height = dimensions(os.Stdout) // the size may have changed
	var err error
	if text != "" {
		err = sh.statements(ctx, text)
	}
	close(done)
	<-stopped
	sh.progress.Clear()
	if outer.Err() == nil { // otherwise the end of the shell is reported
		exit.Report(ctx, sh.stderr, sh.errorStyle(nil), err)
	}
	cancel(nil)
}

// history returns the path of the history file.
func history() (string, error) {
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, name, "history"), err
}

// readHistory loads the history, if there is one.
func (sh *shell) readHistory() error {
	file, err := history()
	if err != nil {
		return nil //nolint:nilerr // without a home there is no history
	}
	f, err := sh.own.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = sh.line.ReadHistory(f)
		err = errors.Join(err, f.Close())
	}
	return err
}

// writeHistory adds what was typed to the history, in which other shells may have written meanwhile.
func (sh *shell) writeHistory() error {
	file, err := history()
	if err != nil {
		return nil //nolint:nilerr // without a home there is no history
	}
	sh.line.ClearHistory()
	if err := errors.Join(sh.readHistory(), sh.own.MkdirAll(filepath.Dir(file))); err != nil {
		return err
	}
	for _, text := range sh.typed {
		sh.line.AppendHistory(text)
	}
	f, err := sh.own.Create(file)
	if err != nil {
		return err
	}
	_, err = sh.line.WriteHistory(f)
	return errors.Join(err, f.Close())
}
