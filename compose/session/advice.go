package session

import (
	"errors"
	"strings"

	"analyzer/compose/cluster/client"
	"analyzer/compose/session/fault"
	"analyzer/operators/expr"
)

// Advise adds a hint to errors about values that do not fit a type.
func Advise(err error) error {
	there, refused := errors.AsType[*client.Error](err)
	for target, hint := range map[error]string{
		expr.ErrCast:     "Next: TRY_CAST is NULL where CAST is impossible; strptime reads dates of other forms.",
		expr.ErrOverflow: "Next: CAST(… AS DOUBLE) before the calculation, or leave such numbers out by CASE or WHERE.",
		expr.ErrMuchText: "Next: shorten texts before they are put together, or leave rows out.",
		expr.ErrNoNumber: "Next: leave such numbers out by CASE or WHERE.",
	} {
		if errors.Is(err, target) || refused && strings.Contains(there.Text, target.Error()) {
			return fault.Failure(hint, err)
		}
	}
	return err
}
