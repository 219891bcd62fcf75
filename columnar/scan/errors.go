package scan

import (
	"errors"

	"analyzer/columnar/csv"
)

// InputError says what is wrong with a file given as input; see csv.InputError.
type InputError = csv.InputError

// Reasons of an InputError that this package gives.
const (
	ReasonMissingColumns = "missing-columns"
	ReasonRepeatedColumn = "repeated-column"
	ReasonDelimiter      = "wrong-delimiter"
	ReasonTooManyRejects = "too-many-rejects"
)

// ErrTooManyRejects is wrapped by the InputError that ends a scan of which more
// rows were rejected than Options allow.
var ErrTooManyRejects = errors.New("too many rejected rows")
