package scan

// Reasons for which a record is rejected.
const (
	RejectBlank    = "blank"
	RejectUnclosed = "unclosed-quote"
	RejectTooFew   = "too-few-fields"
	RejectEmpty    = "empty"
	RejectKey      = "duplicate-key"
)

// Kinds of warnings.
const (
	WarnExtraFields   = "extra-fields"
	WarnMalformedList = "malformed-list"
	WarnInvalidUTF8   = "invalid-utf8"
	WarnBehindQuote   = "text-behind-quote"    // a record with text behind a closing quote, which perhaps swallowed others
	WarnOpenQuote     = "quote-without-second" // a record with a quote that is not closed, read as if it were not there
	WarnHeader        = "header-again"         // a record that repeats the header, which is left out
)

// Reject is one rejected record.
type Reject struct {
	File   string `json:"file"`
	Line   int64  `json:"line"`             // physical line, from 1, on which the record begins
	Column string `json:"column,omitempty"` // name in the header, or "" if the whole record is at fault
	Reason string `json:"reason"`
	Cell   string `json:"cell"` // the text of the cell, truncated for display
	Record []byte `json:"-"`    // as written in the file, without its line end; valid only during the call of OnReject
}

// status says why a record is rejected. It is 0 (valid), one of the other constants, or,
// from firstCheck on, one of two values per check: empty or unfit.
type status uint16

const (
	valid status = iota
	blank
	unclosed
	tooFew
	duplicate
	doubtful // this and the next two are of samples alone: such a record is valid, rejected for another reason, or no row
	mended
	repeated
	firstCheck
)

func emptyIn(check int) status { return firstCheck + 2*status(check) }
func unfitIn(check int) status { return firstCheck + 2*status(check) + 1 }

// check returns the check that rejected a record, or -1.
func (s status) check() int {
	if s < firstCheck {
		return -1
	}
	return int(s-firstCheck) / 2
}

// explain returns the reason and the column for a status.
func (s *Scan) explain(st status) (reason, column string) {
	switch st {
	case valid:
		return "", ""
	case blank:
		return RejectBlank, ""
	case unclosed:
		return RejectUnclosed, ""
	case tooFew:
		return RejectTooFew, ""
	case duplicate:
		return RejectKey, s.keyHeaders()
	case doubtful:
		return WarnBehindQuote, ""
	case mended:
		return WarnOpenQuote, ""
	case repeated:
		return WarnHeader, ""
	}
	c := &s.checks[st.check()]
	if st == emptyIn(st.check()) {
		return RejectEmpty, c.Header
	}
	return c.unfit, c.Header
}
