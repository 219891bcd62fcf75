package csv

import "bytes"

// Text returns the text of a cell, given its bytes in the file, if the text is a part of
// them, as it usually is. Otherwise it returns false, and AppendUnquoted must build the text.
func Text(cell []byte) ([]byte, bool) {
	if len(cell) == 0 || cell[0] != '"' {
		return cell, true
	}
	rest := cell[1:]
	i := bytes.IndexByte(rest, '"')
	if i < 0 {
		return rest, true
	}
	return rest[:i], i == len(rest)-1
}

// IsEmpty reports whether the text of a cell, given its bytes in the file, is empty.
func IsEmpty(cell []byte) bool {
	return len(cell) == 0 || cell[0] == '"' && (len(cell) == 1 || len(cell) == 2 && cell[1] == '"')
}

// AppendUnquoted appends the text of a cell, given its bytes in the file, to dst.
func AppendUnquoted(dst, cell []byte) []byte {
	if len(cell) == 0 || cell[0] != '"' {
		return append(dst, cell...)
	}
	for rest := cell[1:]; ; {
		i := bytes.IndexByte(rest, '"')
		switch {
		case i < 0:
			return append(dst, rest...)
		case i+1 < len(rest) && rest[i+1] == '"':
			dst, rest = append(dst, rest[:i+1]...), rest[i+2:]
		default:
			dst = append(dst, rest[:i]...)
			return append(dst, rest[i+1:]...)
		}
	}
}
