package expr

import (
	"encoding/base64"
	"fmt"
	"math"
	"math/bits"
	"strconv"

	"analyzer/columnar"
	"analyzer/operators/registry"
)

// Numbers and bytes as texts of digits.
const (
	OpHexInt      Op = "hex_of_int"
	OpBin         Op = "bin"
	OpBinInt      Op = "bin_of_int"
	OpToBase      Op = "to_base"
	OpFormatBytes Op = "format_bytes"
	OpBar         Op = "bar"
)

func init() { functions.Add(digitTextFunctions) }

func digitTextFunctions() []function {
	return []function{
		inBase(OpHexInt, 4),
		inBase(OpBinInt, 1),
		{
			op: OpBin, takes: "a text", types: oneOf(columnar.Text, columnar.Text), cost: costCase, canFail: true,
			build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					text := args[0].Bytes(i)
					if err := out.fits(8 * len(text)); err != nil {
						return err
					}
					for _, b := range text {
						for bit := 7; bit >= 0; bit-- {
							out.Data = append(out.Data, '0'+b>>bit&1)
						}
					}
				}
				return nil
			}),
		},
		{
			op: OpToBase, takes: "three ints", types: only(columnar.Text, columnar.Int, columnar.Int, columnar.Int),
			cost: costText * 2, canFail: true, build: just(toBase),
		},
		{
			op: "base64", takes: "a text or bytes", types: oneOf(columnar.Text, columnar.Text, columnar.Bytes), cost: costCase, canFail: true,
			build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					text := args[0].Bytes(i)
					if err := out.fits(base64.StdEncoding.EncodedLen(len(text))); err != nil {
						return err
					}
					out.Data = base64.StdEncoding.AppendEncode(out.Data, text)
				}
				return nil
			}),
			doc: registry.Texts.Doc("base64 to_base64", "(text)", "the bytes of the text, in base 64",
				"base64('a')", "YQ=="),
		},
		{
			op: OpFormatBytes, takes: "an int and a unit", types: only(columnar.Text, columnar.Int, columnar.Int), cost: costText * 4,
			build: just(func(out *result, args []*columnar.Vector) error {
				for i := range out.rows() {
					out.Data = appendBytes(out.Data, args[0].Ints[i], args[1].Ints[i])
				}
				return nil
			}),
		},
		{
			op: OpBar, takes: "four floats", types: only(columnar.Text, columnar.Float, columnar.Float, columnar.Float, columnar.Float),
			cost: costCase, canFail: true, build: just(bar),
		},
	}
}

// inBase is the entry of the digits of an integer, each of so many bits. Negative integers are as their 64 or 128 bits.
func inBase(op Op, width int) function {
	base := 1 << width
	narrow := func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			begin := len(out.Data)
			out.Data = strconv.AppendUint(out.Data, uint64(args[0].Ints[i]), base) //nolint:gosec // its bits
			capitals(out.Data[begin:])
		}
		return nil
	}
	wide := func(out *result, args []*columnar.Vector) error {
		for i := range out.rows() {
			begin, n := len(out.Data), args[0].Wides[i]
			if high := uint64(n.HighBits()); high != 0 { //nolint:gosec // its bits
				out.Data = strconv.AppendUint(out.Data, high, base)
				for zeros := bits.LeadingZeros64(n.LowBits() | 1); zeros >= width; zeros -= width {
					out.Data = append(out.Data, '0')
				}
			}
			out.Data = strconv.AppendUint(out.Data, n.LowBits(), base)
			capitals(out.Data[begin:])
		}
		return nil
	}
	return function{
		op: op, takes: "an integer", types: oneOf(columnar.Text, columnar.Int, columnar.Huge), cost: costText * 2, build: byWidth(narrow, wide),
	}
}

func capitals(digits []byte) {
	for i, b := range digits {
		if b >= 'a' {
			digits[i] = b - 'a' + 'A'
		}
	}
}

func toBase(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		n, base, least := args[0].Ints[i], args[1].Ints[i], args[2].Ints[i]
		if n < 0 || base < 2 || base > 36 || least < 0 || least > 64 {
			return fmt.Errorf("to_base is of a number from 0 on, a base from 2 to 36 and 0 to 64 digits, not %d, %d and %d: %w", n, base, least, ErrNoNumber)
		}
		digits := strconv.FormatInt(n, int(base))
		for range int(least) - len(digits) {
			out.Data = append(out.Data, '0')
		}
		begin := len(out.Data)
		out.Data = append(out.Data, digits...)
		capitals(out.Data[begin:])
	}
	return nil
}

// appendBytes writes so many bytes in the largest unit of which there is at least one.
func appendBytes(dst []byte, n, unit int64) []byte {
	size := uint64(n) //nolint:gosec // as below
	if n < 0 {
		dst, size = append(dst, '-'), -size
	}
	names, step := []string{"KiB", "MiB", "GiB", "TiB", "PiB"}, uint64(1024)
	if unit == 1000 {
		names, step = []string{"kB", "MB", "GB", "TB", "PB"}, 1000
	}
	if size == 1 {
		return append(dst, "1 byte"...)
	}
	if size < step {
		return append(strconv.AppendUint(dst, size, 10), " bytes"...)
	}
	of, name := step, 0
	for name < len(names)-1 && size/of >= step {
		of *= step
		name++
	}
	hi, lo := bits.Mul64(size%of, 10)
	tenth, _ := bits.Div64(hi, lo, of)
	dst = append(strconv.AppendUint(dst, size/of, 10), '.', byte('0'+tenth), ' ')
	return append(dst, names[name]...)
}

// mostBar is the greatest width of a bar.
const mostBar = 1000

// bar draws how far a value lies between two others, in eighths of a character.
func bar(out *result, args []*columnar.Vector) error {
	for i := range out.rows() {
		x, least, most, width := args[0].Floats[i], args[1].Floats[i], args[2].Floats[i], args[3].Floats[i]
		if !(width >= 1 && width <= mostBar) || !isFinite(least) || !isFinite(most) {
			return fmt.Errorf("a bar is 1 to %d characters wide, and its ends are numbers: %w", mostBar, ErrNoNumber)
		}
		long := 0.0
		switch {
		case x <= least:
		case x >= most:
			long = width
		case x > least:
			long = (x - least) / (most - least) * width
		}
		eighths := int(math.Floor(long * 8))
		for range eighths / 8 {
			out.Data = append(out.Data, "█"...)
		}
		drawn := eighths / 8
		if eighths%8 > 0 {
			out.Data = append(out.Data, "▏▎▍▌▋▊▉"[(eighths%8-1)*3:(eighths%8)*3]...)
			drawn++
		}
		for range int(width) - drawn {
			out.Data = append(out.Data, ' ')
		}
	}
	return nil
}
