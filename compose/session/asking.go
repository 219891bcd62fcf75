package session

import (
	"context"
	"errors"

	"analyzer/operators/query/sql"
)

// asking finds out, while a statement is prepared, what it depends on, by statements of its own.
type asking struct {
	of  *Prepared
	ctx context.Context
	err error
}

// ask prepares a query as a statement of its own for do. It gives no notices, since the statement around it
// gives them.
func (a *asking) ask(q *sql.Query, do func(*Prepared) error) (err error) {
	p, err := a.of.ses.silent().PrepareParsed(a.ctx, a.of.text, &sql.Statement{Query: q, At: q.At}, a.of.params)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	return do(p)
}

// parsed is the query of a text, with others in scope.
func (a *asking) parsed(text string, with ...sql.CTE) (*sql.Query, error) {
	st, err := sql.Parse(a.of.ses.work(a.ctx), text)
	if err != nil {
		return nil, err
	}
	st.Query.With = append(st.Query.With, with...)
	return st.Query, nil
}

// wrong is the error of a mistake in the statement.
func (a *asking) wrong(at sql.Span, hint, format string, args ...any) error {
	return a.of.wrong(sql.Wrong(at, hint, format, args...))
}
