package csv

import "analyzer/columnar/stored"

// Reasons of an InputError that this package gives.
const (
	ReasonEmptyFile     = "empty-file"
	ReasonNotCSV        = stored.ReasonUnknown
	ReasonRecordTooLong = "record-too-long"
	ReasonUnclosedQuote = "unclosed-quote"
	ReasonDamaged       = stored.ReasonDamaged
)

// InputError says what is wrong with an input file; see stored.InputError.
type InputError = stored.InputError

// endedError is the error of Next after another worker's Next failed on an earlier
// block. It wraps that failure.
type endedError struct{ cause error }

func (e *endedError) Error() string { return "reading ended: " + e.cause.Error() }
func (e *endedError) Unwrap() error { return e.cause }
