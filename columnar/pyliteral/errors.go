package pyliteral

import (
	"errors"
	"fmt"
)

// ErrMalformed is what every SyntaxError unwraps to: the cell is not a list
// under the grammar of this package. Nothing was appended; the row's list is
// empty and the caller counts the cell.
var ErrMalformed = errors.New("malformed Python list")

// ErrFull says that the cell might push Strings.Data over the 2 GiB that 32-bit
// offsets reach. Nothing was appended; the caller hands the column on and
// starts a new one.
var ErrFull = errors.New("text column would exceed 2 GiB")

// SyntaxError says where and why a cell is malformed.
type SyntaxError struct {
	// Offset is the byte of the cell at which reading could not go on; for text
	// without an end it is where the text begins.
	Offset int
	// Problem is a fixed phrase such as "text has no closing quote".
	Problem string
}

// Error names the problem and the offset.
func (e SyntaxError) Error() string {
	return fmt.Sprintf("%v: %s at byte %d", ErrMalformed, e.Problem, e.Offset)
}

// Unwrap returns ErrMalformed.
func (e SyntaxError) Unwrap() error { return ErrMalformed }

const (
	notList      = "not a list"
	trailing     = "something follows the list"
	unexpected   = "unexpected byte"
	unterminated = "text has no closing quote"
	badEscape    = "bad escape in text"
	badNumber    = "bad number"
	tooDeep      = "nested too deeply"
	unhashable   = "a list or dict as a key"
	endsTooEarly = "the cell ends inside the list"
)
