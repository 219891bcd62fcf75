package workbook

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
)

// Error is the error of a workbook that is not read.
type Error struct {
	Detail string // what is wrong with it
	Hint   string // what to do about it
}

func (e *Error) Error() string { return e.Detail }

const main = "xl/workbook.xml"

// Is reports whether an archive is a workbook.
func Is(z *zip.Reader) bool { return part(z, main) != nil }

func part(z *zip.Reader, name string) *zip.File {
	for _, f := range z.File {
		if strings.EqualFold(strings.TrimPrefix(f.Name, "/"), name) {
			return f
		}
	}
	return nil
}

// book is what a workbook says about its sheets.
type book struct {
	z       *zip.Reader
	sheets  []sheet
	from    int // the year with which days are counted: 1900 or 1904
	targets map[string]target
	formats []cellFormat // by the number of a style
	texts   texts
}

type sheet struct {
	name, id string
	hidden   bool
}

// target is another part of the workbook.
type target struct{ kind, name string }

// Reader is a sheet as CSV. It is for one goroutine.
type Reader struct {
	rows
	notes []string
	body  io.Closer
}

// Open opens the sheet of a name or, without one, the first that is not hidden. Errors are *Error if
// the workbook is well, and something about it is not read.
func Open(z *zip.Reader, name string) (*Reader, error) {
	b := &book{z: z, from: 1900}
	if err := b.open(); err != nil {
		return nil, err
	}
	chosen, err := b.choose(name)
	if err != nil {
		return nil, err
	}
	r := &Reader{rows: rows{book: b}}
	if name == "" {
		r.notes = b.note(chosen)
	}
	file := part(z, b.targets[chosen.id].name)
	if file == nil {
		return nil, fmt.Errorf("the sheet %q is missing", chosen.name)
	}
	if r.first, r.last, err = extent(file); err != nil {
		return nil, err
	}
	body, err := file.Open()
	if err != nil {
		return nil, err
	}
	r.body, r.xml = body, newScanner(body)
	return r, nil
}

// Notes says which sheets were left out.
func (r *Reader) Notes() []string { return r.notes }

// Close ends the use of the sheet.
func (r *Reader) Close() error { return r.body.Close() }

// scan calls each for the tags of a part, if there is one.
func (b *book) scan(name string, each func(s *scanner) error) (err error) {
	f := part(b.z, name)
	if f == nil {
		return nil
	}
	body, err := f.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	s := newScanner(body)
	for s.next() {
		if err := each(s); err != nil {
			return err
		}
	}
	if err := s.failure(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// maxSheets is how many sheets, and other parts, a workbook may have.
const maxSheets = 10_000

func (b *book) open() error {
	b.targets = make(map[string]target)
	err := b.scan("xl/_rels/workbook.xml.rels", func(s *scanner) error {
		if s.begins("Relationship") && len(b.targets) < maxSheets {
			name := string(s.attr("Target"))
			if name = strings.TrimPrefix(name, "/"); name == string(s.attr("Target")) {
				name = path.Join("xl", name)
			}
			b.targets[string(s.attr("Id"))] = target{path.Base(string(s.attr("Type"))), name}
		}
		return nil
	})
	if err != nil {
		return err
	}
	err = b.scan(main, func(s *scanner) error {
		switch {
		case s.begins("sheet") && len(b.sheets) < maxSheets:
			state := string(s.attr("state"))
			b.sheets = append(b.sheets, sheet{string(s.attr("name")), string(s.attr("id")), state == "hidden" || state == "veryHidden"})
		case s.begins("workbookPr"):
			if v := string(s.attr("date1904")); v == "1" || v == "true" {
				b.from = 1904
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, t := range b.targets {
		switch t.kind {
		case "styles":
			err = b.readFormats(t.name)
		case "sharedStrings":
			err = b.readTexts(t.name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// tables returns the sheets that have cells, unlike charts.
func (b *book) tables() (all []sheet) {
	for _, s := range b.sheets {
		if b.targets[s.id].kind == "worksheet" {
			all = append(all, s)
		}
	}
	return all
}

// choose returns the sheet of a name, or the first.
func (b *book) choose(name string) (sheet, error) {
	all := b.tables()
	if len(all) == 0 {
		return sheet{}, &Error{Detail: "the workbook has no sheet with cells", Hint: "name another one"}
	}
	for _, s := range all {
		if name == "" && !s.hidden || name != "" && strings.EqualFold(s.name, name) {
			return s, nil
		}
	}
	if name == "" {
		return all[0], nil
	}
	return sheet{}, &Error{
		Detail: fmt.Sprintf("the workbook has no sheet %q; it has %s", name, names(all)), Hint: "name one of these",
	}
}

// note says which sheets are not read.
func (b *book) note(chosen sheet) []string {
	var others []sheet
	for _, s := range b.tables() {
		if s.id != chosen.id {
			others = append(others, s)
		}
	}
	if len(others) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the sheet %q is read, and not %s: read_xlsx(…, sheet = '%s') reads that one", chosen.name, names(others), strings.ReplaceAll(others[0].name, "'", "''"))}
}

// maxListed is how many names of sheets a message lists.
const maxListed = 20

func names(all []sheet) string {
	var b strings.Builder
	for i, s := range all {
		if i == maxListed {
			fmt.Fprintf(&b, " and %d more", len(all)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", s.name)
	}
	return b.String()
}
