package csv

import (
	"io"

	"analyzer/columnar/stored"
)

// unwrapper takes the quotes off lines that are quoted as a whole, as some spreadsheets and mail
// programs write them, and makes one of two quotes within. What follows a closing quote, and lines
// without quotes, stay as they are.
type unwrapper struct {
	from io.Reader
	in   [normalBytes]byte
	text []byte // what in became
	out  []byte // of that, what Read has not yet returned
	err  error  // the error that ended from
	at   unwrapState
	mark int // bytes of the byte order mark that were seen at the beginning; negative behind it
}

type unwrapState uint8

const (
	atLine     unwrapState = iota
	inLine                 // the line has no quotes around it, or they are closed
	withinLine             // within the quotes around the line
	behindLine             // behind a quote, which closes those around the line or is the first of two
)

// Read implements io.Reader.
func (u *unwrapper) Read(p []byte) (int, error) {
	for idle := 0; len(u.out) == 0; idle++ {
		switch {
		case u.err != nil:
			return 0, u.err
		case idle > stored.MaxIdleReads:
			return 0, io.ErrNoProgress
		}
		var n int
		n, u.err = u.from.Read(u.in[:])
		u.text = u.text[:0]
		for _, c := range u.in[:n] {
			u.take(c)
		}
		u.out = u.text
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *unwrapper) take(c byte) {
	if u.mark >= 0 {
		if u.mark < len(byteOrderMark) && c == byteOrderMark[u.mark] {
			u.mark++
			u.text = append(u.text, c)
			return
		}
		u.mark = -1
	}
	switch {
	case u.at == atLine && c == '"':
		u.at = withinLine
		return
	case u.at == withinLine && c == '"':
		u.at = behindLine
		return
	case u.at == behindLine && c == '"':
		u.at = withinLine
	case u.at == withinLine:
	case c == '\n' || c == '\r':
		u.at = atLine
	default:
		u.at = inLine
	}
	u.text = append(u.text, c)
}
