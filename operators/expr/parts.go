package expr

import (
	"bytes"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// The functions that find parts of texts, and make texts from them.
const (
	OpPosition   Op = "strpos"
	OpRepeat     Op = "repeat"
	OpTrimOf     Op = "trim_of"
	OpLeftTrimOf Op = "ltrim_of"
	// OpRightTrimOf is OpRightTrim for given characters instead of spaces.
	OpRightTrimOf Op = "rtrim_of"
	OpCodePoint   Op = "ascii"
	OpGraphemes   Op = "length_grapheme"
	OpSubGrapheme Op = "substring_grapheme"
)

func init() { functions.Add(partFunctions) }

func partFunctions() []function {
	return []function{
		{
			op: OpPosition, takes: "two texts", types: only(columnar.Int, columnar.Text, columnar.Text), cost: costText, build: just(position),
			doc: registry.Texts.Doc("strpos instr", "(text, part)", "the position of the first occurrence of a part, counted from 1; 0 if there is none",
				"strpos('Bremen', 'me')", "4"),
		},
		{
			op: "left", takes: "a text and an int", types: only(columnar.Text, columnar.Text, columnar.Int), cost: costText, build: just(left),
			doc: registry.Texts.Doc("left", "(text, length)", "the first characters of a text; all but so many from the end if the number is negative",
				"left('Bremen', 2)", "Br"),
		},
		{
			op: "right", takes: "a text and an int", types: only(columnar.Text, columnar.Text, columnar.Int), cost: costText, build: just(right),
			doc: registry.Texts.Doc("right", "(text, length)", "the last characters of a text; all but so many from the beginning if the number is negative",
				"right('Bremen', 2)", "en"),
		},
		{
			op: "split_part", takes: "two texts and an int", types: only(columnar.Text, columnar.Text, columnar.Text, columnar.Int), cost: costText * 2, build: just(splitParts),
			doc: registry.Texts.Doc("split_part", "(text, separator, number)", "a part of a text between separators, counted from 1, or from the end if the number is negative",
				"split_part('a-b-c', '-', 2)", "b"),
		},
		{
			op: "reverse", takes: "a text", types: oneOf(columnar.Text, columnar.Text), cost: costCase, build: just(eachText(appendReversed)),
			doc: registry.Texts.Doc("reverse", "(text)", "the characters of a text from last to first",
				"reverse('Ulm')", "mlU"),
		},
		{
			op: OpRepeat, takes: "a text or bytes, and an int", types: []registry.Signature{sig(columnar.Text, columnar.Text, columnar.Int), sig(columnar.Bytes, columnar.Bytes, columnar.Int)}, cost: costText * 4, canFail: true, build: just(repeat),
		},
		padding(registry.Texts.Doc("lpad", "(text, length, filling)", "a text lengthened on the left, or cut, to a number of characters", "lpad('7', 3, '0')", "007"),
			func(dst, text, pad []byte) []byte { return append(append(dst, pad...), text...) }),
		padding(registry.Texts.Doc("rpad", "(text, length, filling)", "a text lengthened on the right, or cut, to a number of characters", "rpad('7', 3, '.')", "7.."),
			func(dst, text, pad []byte) []byte { return append(append(dst, text...), pad...) }),
		{
			op: OpGraphemes, takes: "a text", types: oneOf(columnar.Int, columnar.Text), cost: costCase, build: just(countGraphemes),
			doc: registry.Texts.Doc("length_grapheme", "(text)", "the number of graphemes: of letters with their accents, and of whole emojis",
				"length_grapheme('Köln')", "4"),
		},
		{
			op: OpSubGrapheme, takes: "a text and two ints", types: only(columnar.Text, columnar.Text, columnar.Int, columnar.Int), cost: costCase, build: just(subGrapheme),
		},
		trimmingOf(OpTrimOf, bytes.Trim),
		trimmingOf(OpLeftTrimOf, bytes.TrimLeft),
		trimmingOf(OpRightTrimOf, bytes.TrimRight),
		{
			op: OpCodePoint, takes: "a text", types: oneOf(columnar.Int, columnar.Text), cost: costFixed, build: just(codePoint),
			doc: registry.Texts.Doc("ascii", "(text)", "the code point of the first character; 0 for an empty text",
				"ascii('A')", "65"),
		},
		{
			op: "chr", takes: "an int", types: oneOf(columnar.Text, columnar.Int), cost: costText, canFail: true, build: just(char),
			doc: registry.Texts.Doc("chr", "(number)", "the character of a code point",
				"chr(65)", "A"),
		},
	}
}

func trimmingOf(op Op, trim func([]byte, string) []byte) function {
	return function{
		op: op, takes: "two texts", types: only(columnar.Text, columnar.Text, columnar.Text), cost: costText,
		build: just(func(out *result, args []*columnar.Vector) error {
			for i := range out.rows() {
				out.Data = append(out.Data, trim(args[0].Bytes(i), string(args[1].Bytes(i)))...)
			}
			return nil
		}),
	}
}

func padding(doc registry.Doc, put func(dst, text, pad []byte) []byte) function {
	return function{
		op: Op(doc.Names[0]), doc: doc, takes: "a text, an int and a text", types: only(columnar.Text, columnar.Text, columnar.Int, columnar.Text), cost: costText * 4, canFail: true,
		build: func(*build) (kernel, error) {
			var pad []byte
			return func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					text, n, with := args[0].Bytes(i), args[1].Ints[i], args[2].Bytes(i)
					missing := max(n, 0) - int64(codePointsOf(text))
					if missing <= 0 {
						out.Data = append(out.Data, codePoints(text, 1, n)...)
						continue
					}
					if len(with) == 0 {
						return fmt.Errorf("%s is given nothing to fill a text with", doc.Names[0])
					}
					if missing > int64(maxMade-len(out.Data)-len(text))/utf8.UTFMax {
						return ErrMuchText
					}
					pad = pad[:0]
					for rest := with; missing > 0; missing-- {
						_, size := utf8.DecodeRune(rest)
						pad = append(pad, rest[:size]...)
						if rest = rest[size:]; len(rest) == 0 {
							rest = with
						}
					}
					out.Data = put(out.Data, text, pad)
				}
				return nil
			}, nil
		},
	}
}

func left(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text, n := args[0].Bytes(i), args[1].Ints[i]
		if n < 0 {
			n += int64(codePointsOf(text))
		}
		out.Data = append(out.Data, codePoints(text, 1, n)...)
	}
	return nil
}

func right(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text, n := args[0].Bytes(i), args[1].Ints[i]
		count := int64(codePointsOf(text))
		if n < 0 {
			n += count
		}
		out.Data = append(out.Data, codePoints(text, count-min(max(n, 0), count)+1, count)...)
	}
	return nil
}

func splitParts(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		out.Data = append(out.Data, splitPart(args[0].Bytes(i), args[1].Bytes(i), args[2].Ints[i])...)
	}
	return nil
}

func repeat(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text, n := args[0].Bytes(i), args[1].Ints[i]
		if len(text) == 0 || n <= 0 {
			continue
		}
		if n > int64((maxMade-len(out.Data))/len(text)) {
			return ErrMuchText
		}
		out.Data = slices.Grow(out.Data, int(n)*len(text))
		for range n {
			out.Data = append(out.Data, text...)
		}
	}
	return nil
}

func countGraphemes(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		out.Ints[i] = int64(len(graphemesOf(args[0].Bytes(i))) - 1)
	}
	return nil
}

func subGrapheme(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		text := args[0].Bytes(i)
		bounds := graphemesOf(text)
		lo, hi := partOf(args[1].Ints[i], args[2].Ints[i], int64(len(bounds)-1))
		out.Data = append(out.Data, text[bounds[lo]:bounds[hi]]...)
	}
	return nil
}

func codePoint(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		r := rune(0)
		if text := args[0].Bytes(i); len(text) > 0 {
			r, _ = utf8.DecodeRune(text)
		}
		out.Ints[i] = int64(r)
	}
	return nil
}

func char(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		n := args[0].Ints[i]
		if n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return fmt.Errorf("the character of code point %d: %w", n, ErrNoNumber)
		}
		out.Data = utf8.AppendRune(out.Data, rune(n))
	}
	return nil
}

func position(out *result, args []*columnar.Vector) error {
	for i := range out.Ints {
		text := args[0].Bytes(i)
		at := bytes.Index(text, args[1].Bytes(i))
		out.Ints[i] = 0
		if at >= 0 {
			out.Ints[i] = int64(codePointsOf(text[:at])) + 1
		}
	}
	return nil
}

// splitPart returns part n of those that split makes, counted from the end if n is negative.
func splitPart(text, by []byte, n int64) []byte {
	if len(by) == 0 {
		if n < 0 {
			n += int64(codePointsOf(text)) + 1
		}
		if n < 1 {
			return nil
		}
		return codePoints(text, n, 1)
	}
	if n < 0 {
		n += int64(bytes.Count(text, by)) + 2
	}
	for ; n > 0; n-- {
		part, rest, found := bytes.Cut(text, by)
		if n == 1 {
			return part
		}
		if !found {
			break
		}
		text = rest
	}
	return nil
}

// appendReversed appends the graphemes of a text, not its code points, in reverse order, so
// that an accent stays with its letter. In ASCII every grapheme is one byte, except for CR LF,
// whose bytes DuckDB reverses as well.
func appendReversed(dst, text []byte) []byte {
	begin := len(dst)
	end := begin + len(text)
	if columnar.IsASCII(text) {
		dst = append(dst, text...)
		slices.Reverse(dst[begin:])
		return dst
	}
	dst = resizeKeep(dst, end)
	for letters := graphemes.FromBytes(text); letters.Next(); {
		letter := letters.Value()
		end -= len(letter)
		copy(dst[end:], letter)
	}
	return dst
}

// graphemesOf returns where each grapheme of a text begins, and where the last one ends.
func graphemesOf(text []byte) []int {
	bounds, at := []int{0}, 0
	for letters := graphemes.FromBytes(text); letters.Next(); {
		at += len(letters.Value())
		bounds = append(bounds, at)
	}
	return bounds
}

// partOf returns where the part of n things begins and ends that substr returns from its arguments,
// but that nothing lies before the first of them.
func partOf(from, length, n int64) (lo, hi int64) {
	if from < 0 {
		from = max(from+n+1, 1)
	}
	if length < 0 && from > 0 {
		length = max(length, -from)
		from, length = from+length, -length
	}
	if from < 1 {
		if length <= 1-from {
			return 0, 0
		}
		from, length = 1, length-(1-from)
	}
	lo = min(from-1, n)
	return lo, lo + min(max(length, 0), n-lo)
}
