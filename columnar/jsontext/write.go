package jsontext

import (
	"math"
	"unicode/utf8"

	"analyzer/columnar"
)

// AppendValue appends value i of a vector, whose type is Writable. NaN and infinities become null.
// Between the items of lists and the fields of structs stands the text between.
func AppendValue(dst []byte, v *columnar.Vector, i int, between string) []byte {
	if v.IsNull(i) {
		return append(dst, "null"...)
	}
	switch kind := v.Type.Kind(); {
	case v.Type.IsStruct():
		return appendStruct(dst, v, i, between)
	case v.Type.IsMap():
		return appendMap(dst, v, i, between)
	case kind == columnar.KindBytes:
		return AppendQuoted(dst, v.Printed(i))
	case kind == columnar.KindList:
		dst = append(dst, '[')
		for k := v.Offsets[i]; k < v.Offsets[i+1]; k++ {
			if k > v.Offsets[i] {
				dst = append(dst, between...)
			}
			dst = AppendValue(dst, v.Child, int(k), between)
		}
		return append(dst, ']')
	case kind == columnar.KindFloat64:
		if f := v.Floats[i]; math.IsNaN(f) || math.IsInf(f, 0) {
			return append(dst, "null"...)
		}
	}
	if v.Type.Quoted() {
		return append(v.AppendText(append(dst, '"'), i), '"')
	}
	return v.AppendText(dst, i)
}

// appendStruct appends a struct: an object, or an array if its fields have no names.
func appendStruct(dst []byte, v *columnar.Vector, i int, between string) []byte {
	fields, ends := v.Type.Fields(), "[]"
	if fields[0].Name != "" {
		ends = "{}"
	}
	dst = append(dst, ends[0])
	for k, one := range v.Struct(i) {
		if k > 0 {
			dst = append(dst, between...)
		}
		if name := fields[k].Name; name != "" {
			dst = appendName(dst, []byte(name), between)
		}
		dst = AppendValue(dst, one, 0, between)
	}
	return append(dst, ends[1])
}

// appendName appends the name of a value in an object.
func appendName(dst, name []byte, between string) []byte {
	dst = append(AppendQuoted(dst, name), ':')
	if between != "," {
		dst = append(dst, ' ')
	}
	return dst
}

// appendMap appends a map as an object, in which the texts of its keys are names.
func appendMap(dst []byte, v *columnar.Vector, i int, between string) []byte {
	begin := len(dst)
	v.EachEntry(i, func(key, value *columnar.Vector) {
		if len(dst) > begin {
			dst = append(dst, between...)
		} else {
			dst = append(dst, '{')
		}
		dst = AppendValue(appendName(dst, key.AppendText(nil, 0), between), value, 0, between)
	})
	if len(dst) == begin {
		dst = append(dst, '{')
	}
	return append(dst, '}')
}

// AppendQuoted appends text as a JSON string (RFC 8259, section 7), escaping
// only what must be escaped. Invalid UTF-8 becomes U+FFFD.
func AppendQuoted(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b >= ' ' && b != '"' && b != '\\' && b < utf8.RuneSelf {
			i++
			continue
		}
		if b >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && size == 1 {
				dst = append(append(dst, text[start:i]...), "\ufffd"...)
				start = i + 1
			}
			i += size
			continue
		}
		dst = append(dst, text[start:i]...)
		switch b {
		case '"', '\\':
			dst = append(dst, '\\', b)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, `\u00`...)
			dst = append(dst, hex[b>>4], hex[b&15])
		}
		i++
		start = i
	}
	return append(append(dst, text[start:]...), '"')
}
