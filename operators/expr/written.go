package expr

import (
	"bytes"
	"strconv"
	"strings"

	"analyzer/columnar"
)

// castName returns how statements call a cast of a text or to a number of digits, and to which type it is; "" for
// anything else.
func (e *Expr) castName() (name, to string) {
	if e.Op == OpToWide || e.Op == OpToDigits {
		if name = "CAST"; e.Args[3].IsBool(true) {
			name = "TRY_CAST"
		}
		return name, "DECIMAL(" + e.Args[1].String() + "," + e.Args[2].String() + ")"
	}
	return e.textCastName()
}

func (e *Expr) textCastName() (name, to string) {
	of, ok := strings.CutPrefix(string(e.Op), "cast_")
	if name = "CAST"; !ok {
		of, ok = strings.CutPrefix(string(e.Op), "try_")
		name = "TRY_CAST"
	}
	var t columnar.Type
	if !ok || len(e.Args) != 1 || t.UnmarshalText([]byte(of)) != nil {
		return "", ""
	}
	return name, t.SQL()
}

// plainNumber returns a number that is written as in a program (1_000, 0x1F, 0b101) in plain digits;
// ok is false for anything else. Only whole numbers have another base than ten.
func plainNumber(text []byte, t columnar.Type) (plain []byte, ok bool) {
	if !IsNumber(t) {
		return nil, false
	}
	text = bytes.TrimSpace(text)
	base := 10
	if len(text) > 2 && text[0] == '0' {
		switch text[1] | 0x20 {
		case 'x':
			base = 16
		case 'b':
			base = 2
		}
	}
	if base == 10 && bytes.IndexByte(text, '_') < 0 {
		return nil, false // as most texts that are no numbers
	}
	if base != 10 {
		text = text[2:]
	}
	for i, c := range text {
		if c == '_' && (i == 0 || i == len(text)-1 || digit(text[i-1]) >= max(base, 10) || digit(text[i+1]) >= max(base, 10)) {
			return nil, false
		}
	}
	plain = bytes.ReplaceAll(text, []byte{'_'}, nil)
	if base == 10 {
		return plain, true
	}
	n, err := strconv.ParseUint(string(plain), base, 64)
	return strconv.AppendUint(nil, n, 10), err == nil && (t == columnar.Int || t == columnar.Huge)
}

// digit returns the value of a digit up to F, or 16.
func digit(c byte) int {
	switch n := strings.IndexByte("0123456789abcdef", c|0x20); {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case n < 0:
		return 16
	default:
		return n
	}
}
