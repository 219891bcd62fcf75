package session

import (
	"errors"

	"analyzer/columnar"
	"analyzer/compose/session/fault"
	"analyzer/operators/expr"
)

// Advise adds what to do to errors of values that an operation cannot take, in this process
// or on a cluster.
func Advise(err error) error {
	for _, advice := range []struct {
		of   error
		hint string
	}{
		{expr.ErrCast, "Next: TRY_CAST is NULL where CAST is impossible; strptime reads dates of other forms."},
		{expr.ErrOverflow, "Next: CAST(… AS DOUBLE) before the calculation, or leave such numbers out by CASE or WHERE."},
		{expr.ErrMuchText, "Next: shorten texts before they are put together, or leave rows out."},
		{expr.ErrMatches, "Next: split such texts first, by string_split and unnest, or leave rows out."},
		{expr.ErrNoNumber, "Next: leave such numbers out by CASE or WHERE."},
		{expr.ErrPattern, "Next: leave such rows out by CASE or WHERE; try(…) is NULL there."},
		{expr.ErrKey, "Next: leave entries out, or make the keys different."},
		{columnar.ErrNoForm, "Next: CAST(… AS VARCHAR) keeps it."},
		{expr.ErrSeveralRows, "Next: write an aggregate in it, or LIMIT 1."},
	} {
		if errors.Is(err, advice.of) {
			return fault.Failure(advice.hint, err)
		}
	}
	return err
}
