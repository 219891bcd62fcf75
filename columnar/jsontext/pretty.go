package jsontext

// AppendPretty appends a valid value with a line for each of its parts, which nesting indents: a short text may
// become a long one. ok is false if dst would have more than most bytes; then it ends when it has them,
// or by the length of the text later.
func AppendPretty(dst, text []byte, most int) (_ []byte, ok bool) {
	const indent = "    "
	depth := 0
	line := func() {
		if ok = len(dst)+1+depth*len(indent) <= most; ok {
			dst = append(dst, '\n')
			for range depth {
				dst = append(dst, indent...)
			}
		}
	}
	ok = true
	for i := 0; i < len(text) && ok; {
		c := text[i]
		if c == '"' {
			end := skipText(text, i)
			dst, i = append(dst, text[i:end]...), end
			continue
		}
		i++
		switch c {
		case '{', '[':
			dst = append(dst, c)
			if i = space(text, i); text[i] == closing(c) {
				dst = append(dst, text[i])
				i++
				continue
			}
			depth++
			line()
		case '}', ']':
			depth--
			line()
			dst = append(dst, c)
		case ',':
			dst = append(dst, c)
			line()
		case ':':
			dst = append(dst, ": "...)
		default:
			if !isSpace(c) {
				dst = append(dst, c)
			}
		}
	}
	return dst, ok && len(dst) <= most
}

// closing returns the bracket that closes another one.
func closing(bracket byte) byte { return bracket + 2 } // of [ and {, in ASCII
