package session

import (
	"encoding/base64"
	"unicode/utf8"

	"analyzer/columnar/vfs"
	"analyzer/compose/session/inputs"
	"analyzer/operators/query/sql"
)

// maxContents bounds how many bytes the files have that read_text and read_blob read: they become a part of the plan.
const maxContents = 16 << 20

// contents answers read_text and read_blob: a row for each file, with its name, its bytes and how many they are.
func (l *listings) contents(call *sql.Expr) (*sql.Query, error) {
	files, err := l.filesOf(call)
	if err != nil {
		return nil, err
	}
	var names, texts []string
	all := 0
	for _, file := range files {
		content, err := l.content(call, file, maxContents-all)
		if err != nil {
			return nil, err
		}
		all += len(content)
		names, texts = append(names, inputs.TextOf(file)), append(texts, content)
	}
	form := "SELECT filename, content, strlen(content) AS size FROM listed"
	if call.Text == "read_blob" {
		form = "SELECT filename, content, octet_length(content) AS size FROM (SELECT filename, from_base64(content) AS content FROM listed)"
	}
	return l.formed(form, rowsOf(call.At, []string{"filename", "content"}, [][]string{names, texts}))
}

// filesOf returns the files that the only argument of a call names.
func (l *listings) filesOf(call *sql.Expr) (all []string, err error) {
	named := sql.FilesOf(call)
	if len(named) == 0 || len(call.Args) > 1 {
		return nil, l.wrong(call.At, "", "it is %s('pattern') or %s(['file', 'other'])", call.Text, call.Text)
	}
	for _, name := range named {
		files, err := l.of.matching(l.ctx, sql.Source{At: call.At}, name)
		if err != nil {
			return nil, err
		}
		all = append(all, files...)
	}
	return all, nil
}

// content returns what is in a file of up to so many bytes: its text or, for read_blob, its bytes in base64.
func (l *listings) content(call *sql.Expr, file string, most int) (string, error) {
	wrong := func(hint, format string, args ...any) error { return l.of.badFile(call.At, hint, format, args...) }
	fs := vfs.With(l.ctx, l.of.fs)
	size, err := fs.Size(file)
	switch {
	case file == inputs.Stdin:
		return "", wrong("Next: name a file.", "%s reads files, and not the standard input", call.Text)
	case err != nil:
		return "", wrong(inputs.Hint(err, "Next: check the name of the file."), "%v", err)
	case size > int64(most):
		return "", wrong("Next: read fewer files at a time, or their lines: read_csv('file', columns = {'line': 'VARCHAR'}, delim = '\\x01', quote = '').",
			"the files have more than the %d bytes that %s reads at a time", maxContents, call.Text)
	}
	bytes, err := vfs.ReadFile(fs, file)
	switch {
	case err != nil:
		return "", wrong(inputs.Hint(err, "Next: check the file."), "%v", err)
	case call.Text == "read_blob":
		return base64.StdEncoding.EncodeToString(bytes), nil
	case !utf8.Valid(bytes):
		return "", wrong("Next: read_blob gives its bytes.", "%s is no text in UTF-8", file)
	}
	return string(bytes), nil
}
