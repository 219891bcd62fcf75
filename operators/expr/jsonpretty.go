package expr

import (
	"bytes"

	"analyzer/columnar"
	"analyzer/columnar/jsontext"
)

// jsonPretty writes a value with a line for each of its parts.
func jsonPretty(out *result, _ []*columnar.Vector, _ int, text []byte) error {
	depth, quoted := 0, false
	line := func() error {
		const indent = "    "
		if err := out.fits(1 + depth*len(indent)); err != nil {
			return err
		}
		out.Data = append(out.Data, '\n')
		for range depth {
			out.Data = append(out.Data, indent...)
		}
		return nil
	}
	var err error
	compact := jsontext.AppendCompact(nil, text)
	for i := 0; i < len(compact) && err == nil; i++ {
		c := compact[i]
		switch {
		case quoted:
			out.Data = append(out.Data, c)
			if c == '\\' {
				i++
				out.Data = append(out.Data, compact[i])
			}
			quoted = c != '"'
		case bytes.HasPrefix(compact[i:], []byte("{}")), bytes.HasPrefix(compact[i:], []byte("[]")):
			out.Data = append(out.Data, c, compact[i+1])
			i++
		case c == '{' || c == '[':
			depth++
			out.Data = append(out.Data, c)
			err = line()
		case c == '}' || c == ']':
			depth--
			err = line()
			out.Data = append(out.Data, c)
		case c == ',':
			out.Data = append(out.Data, c)
			err = line()
		case c == ':':
			out.Data = append(out.Data, ": "...)
		default:
			quoted = c == '"'
			out.Data = append(out.Data, c)
		}
	}
	return err
}
