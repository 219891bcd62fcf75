package answers

import (
	"fmt"
	"io"

	"analyzer/columnar"
)

// NewStream writes a run's answers to w, which it does not close. Each answer is
// passed on as soon as it is complete. It is an error to ask for several
// answers in a format that can hold only one.
func NewStream(w io.Writer, o Options) (Set, error) {
	if _, err := ParseFormat(string(o.Format)); err != nil {
		return nil, err
	}
	form, _ := o.Format.form()
	if o.Queries > 1 && form.binary {
		return nil, fmt.Errorf("format %s can hold one answer, not %d", o.Format, o.Queries)
	}
	out := &output{to: w}
	return &stream{out: out, encoder: form.encoder(out, o, false)}, nil
}

type stream struct {
	out     *output
	encoder encoder
	query   string
}

// output knows whether anything was written to it.
type output struct {
	to    io.Writer
	given bool
}

func (o *output) Write(text []byte) (int, error) {
	o.given = true
	return o.to.Write(text)
}

func (s *stream) Begin(query string, columns columnar.Schema) error {
	s.query = query
	return s.wrap(begin(s.encoder, query, columns))
}

func (s *stream) Write(rows columnar.Rows) error { return s.wrap(s.encoder.write(rows)) }

func (s *stream) End() error { return s.wrap(s.encoder.end()) }

func (s *stream) Finish() error {
	if err := s.encoder.finish(); err != nil {
		return fmt.Errorf("write the answers: %w", err)
	}
	return nil
}

// Discard takes nothing back that was written.
func (s *stream) Discard() error { return nil }

func (s *stream) Given() bool { return s.out.given }

func (s *stream) wrap(err error) error {
	if err != nil {
		return fmt.Errorf("write the answer to %s: %w", s.query, err)
	}
	return nil
}
