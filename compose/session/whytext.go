package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/number"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
	"analyzer/operators/expr"
	"analyzer/operators/query/fileoptions"
	"analyzer/operators/query/scalar"
	"analyzer/operators/query/sql"
)

// tellTexts tells why columns that the statement mentions are VARCHAR of which all cells, or nearly
// all, have another type. The types must be settled. It reads files that have such columns once more.
func (t *tables) tellTexts(ctx context.Context, notice func(Notice)) error {
	for _, set := range t.all {
		told := make(map[int]bool)
		for i, f := range set.found {
			if err := f.Misfits(ctx, set.read, func() (vfs.File, error) { return set.open(ctx, i) }); err != nil {
				return err
			}
			for _, c := range set.read {
				if why := fileoptions.WhyText(f.Columns[c]); why != "" && !told[c] {
					told[c] = true
					notice(Notice{Text: filepath.Base(f.Name) + ": " + f.Columns[c].Name + " is VARCHAR, " + why})
				}
			}
		}
	}
	return nil
}

// explained adds to an error of a statement what its files have to do with it: why columns are texts
// that it takes for something else, and which cell cannot be cast. The types must be settled.
func (t *tables) explained(ctx context.Context, err error, notice func(Notice)) error {
	if _, wrong := errors.AsType[*sql.Error](err); wrong {
		return errors.Join(err, t.tellTexts(ctx, notice))
	}
	cast, ok := errors.AsType[*expr.CastError](err)
	if !ok {
		return err
	}
	for _, set := range t.all {
		var texts []int
		for _, c := range set.read {
			if set.first().Columns[c].Type() == columnar.Text {
				texts = append(texts, c)
			}
		}
		for i, f := range set.found {
			at, found, failed := f.FirstCell(ctx, texts, cast.Text, func() (vfs.File, error) { return set.open(ctx, i) })
			if failed != nil {
				return errors.Join(err, failed)
			}
			if found {
				name := f.Columns[at.Column].Name
				if failed := t.tellTexts(ctx, notice); failed != nil {
					return errors.Join(err, failed)
				}
				return &fault.Error{
					Kind: fault.Failed, Hint: castAdvice(f.Columns[at.Column], cast), File: f.Name, Line: at.Line,
					Err: fmt.Errorf("%s, line %d, column %s: %q is no %s", filepath.Base(f.Name), at.Line, name, columnar.Excerpt(cast.Text, 60), scalar.TypeName(cast.Type)),
				}
			}
		}
	}
	return err
}

// castAdvice says what to write instead of a cast of a column of texts.
func castAdvice(c sniff.Column, cast *expr.CastError) string {
	const otherwise = "TRY_CAST is NULL where CAST is impossible"
	n, isNumber := number.Written([]byte(cast.Text))
	switch {
	case c.Misfit != nil:
		return "Next: " + fileoptions.Advice(c) + "; " + otherwise + "."
	case cast.Type == columnar.Date || cast.Type == columnar.Timestamp:
		return "Next: strptime(" + sql.QuoteName(c.Name) + ", '%d.%m.%Y') reads dates of other forms; " + otherwise + "."
	case isNumber && sniff.IsNumber(formatOf(cast.Type)):
		form := number.Form{Marks: n.Marks.First(), Percent: n.Percent}
		if n.Currency > 0 {
			form.Currency = number.Currency(n.Currency)
		}
		written := fmt.Sprintf("'%s FORMAT %s'", scalar.TypeName(cast.Type), strings.ReplaceAll(form.String(), "'", "''"))
		return "Next: read_csv(…, types = {" + sql.QuoteText(c.Name) + ": " + written + "}) reads numbers that are written so; " + otherwise + "."
	}
	return "Next: " + otherwise + "; WHERE TRY_CAST(…) IS NULL finds such rows."
}

func formatOf(t columnar.Type) columnar.Format {
	format, _ := sniff.FormatOf(t)
	return format
}
