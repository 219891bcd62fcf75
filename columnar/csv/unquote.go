package csv

import "bytes"

// Unquote returns the text of a cell, given its bytes as they stand in the file.
// Most cells are returned as they are or as a part of themselves; where a quote
// must go from the middle, the text is appended to dst[:0] and returned.
func Unquote(dst, cell []byte) []byte {
	if len(cell) == 0 || cell[0] != '"' {
		return cell
	}
	rest := cell[1:]
	i := bytes.IndexByte(rest, '"')
	if i < 0 {
		return rest
	}
	if i == len(rest)-1 {
		return rest[:i]
	}
	return AppendUnquoted(dst[:0], cell)
}

// AppendUnquoted appends the text of a cell to dst, given its bytes as they
// stand in the file.
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
