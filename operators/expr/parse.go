package expr

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"analyzer/columnar"
	"analyzer/columnar/number"
)

// ParseValue reads a literal as a person writes the value of a parameter: an int, a decimal
// with up to six places, a date such as 2006-01-02, a timestamp such as 2006-01-02 15:04:05, a
// float, a bool (true, false, yes, no, 1 or 0), a text, or a TextList as texts separated by
// commas, in double quotes where a text holds a comma. Errors say what was expected.
func ParseValue(t columnar.Type, text string) (*Expr, error) {
	if !utf8.ValidString(text) {
		return nil, fmt.Errorf("%q is not valid UTF-8", text)
	}
	trimmed := strings.TrimSpace(text)
	switch t {
	case columnar.Int:
		return parseInt(trimmed)
	case columnar.Huge:
		return parseHuge(trimmed)
	case columnar.Decimal:
		return parseDecimal(trimmed)
	case columnar.Float:
		return parseFloat(trimmed)
	case columnar.Bool:
		return parseBool(trimmed)
	case columnar.Text:
		return Str(text), nil
	case columnar.TextList:
		return parseTexts(text)
	case columnar.Interval:
		if bits, ok := parseInterval([]byte(trimmed)); ok {
			return Interval(bits), nil
		}
		return nil, fmt.Errorf("%q is not an interval: expected one such as 1 day 12 hours", text)
	}
	if t == columnar.UUID || t == columnar.Bytes {
		return parseText(text, t)
	}
	if t.IsWide() {
		return parseWide(trimmed, t)
	}
	if slices.Contains(columnar.Times(), t) {
		return parseTime(trimmed, t)
	}
	return nil, fmt.Errorf("a value of type %s cannot be written as text", t)
}

func parseInt(text string) (*Expr, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return nil, fmt.Errorf("%q is out of range: expected a whole number from %d to %d", text, math.MinInt64, math.MaxInt64)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a whole number: expected one such as 2000", text)
	}
	return Int(n), nil
}

func parseHuge(text string) (*Expr, error) {
	digits := strings.TrimLeft(text, "+-")
	if digits == "" || !allDigits(digits) || len(text)-len(digits) > 1 {
		return nil, fmt.Errorf("%q is not a whole number: expected one such as 2000", text)
	}
	n, ok := number.Parse128([]byte(text), 0)
	if !ok {
		return nil, fmt.Errorf("%q is out of range: expected a whole number of 128 bits", text)
	}
	return Huge(n), nil
}

// decimalParts cuts a decimal number at its point; zeros at its end do not count.
func decimalParts(text string) (whole, fraction string, negative bool, err error) {
	digits, negative := strings.CutPrefix(text, "-")
	if !negative {
		digits = strings.TrimPrefix(digits, "+")
	}
	whole, fraction, _ = strings.Cut(digits, ".")
	if !allDigits(whole) || !allDigits(fraction) || whole+fraction == "" {
		return "", "", false, fmt.Errorf("%q is not a decimal number: expected one such as 0.9", text)
	}
	return whole, strings.TrimRight(fraction, "0"), negative, nil
}

// parseWide reads a decimal of so many digits.
func parseWide(text string, t columnar.Type) (*Expr, error) {
	_, fraction, _, err := decimalParts(text)
	if err != nil {
		return nil, err
	}
	if len(fraction) > t.Scale() {
		return nil, fmt.Errorf("%q has too many decimal places: expected at most %d", text, t.Scale())
	}
	n, ok := number.Parse128([]byte(text), t.Scale())
	if !ok || !number.HasDigits(n, t.Digits()) {
		return nil, fmt.Errorf("%q is out of range: expected at most %d digits", text, t.Digits())
	}
	return Wide(t, n), nil
}

func parseDecimal(text string) (*Expr, error) {
	whole, fraction, negative, err := decimalParts(text)
	if err != nil {
		return nil, err
	}
	if len(fraction) > 6 {
		return nil, fmt.Errorf("%q has too many decimal places: expected at most 6", text)
	}
	scaled := whole + fraction + strings.Repeat("0", 6-len(fraction))
	if negative {
		scaled = "-" + scaled
	}
	n, err := strconv.ParseInt(scaled, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("%q is out of range: expected a decimal number from %s to %s",
			text, formatDecimal(math.MinInt64), formatDecimal(math.MaxInt64))
	}
	return Dec(n), nil
}

func parseTime(text string, t columnar.Type) (*Expr, error) {
	n, ok := t.ParseTime([]byte(text))
	if !ok {
		sample := Zero(t).Value.Vector().AppendText(nil, 0)
		return nil, fmt.Errorf("%q is not a %s: expected one such as %s", text, t, sample)
	}
	return lit(Value{Type: t, Int: n}), nil
}

// parseText reads a value that casts of texts read.
func parseText(text string, t columnar.Type) (*Expr, error) {
	if v := CastText(Str(text), t, true).Fold().Literal(); v != nil {
		return lit(*v), nil
	}
	return nil, fmt.Errorf("%q is not a %s: expected one such as %s", text, t, Zero(t).Value.Vector().AppendText(nil, 0))
}

func allDigits(s string) bool {
	return strings.Trim(s, "0123456789") == ""
}

func parseFloat(text string) (*Expr, error) {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, fmt.Errorf("%q is not a finite number: expected one such as 0.25 or 1e9", text)
	}
	return Float(f), nil
}

// parseBool reads a truth value written as in a cell, so that a column of them can be compared
// with the words that its file holds.
func parseBool(text string) (*Expr, error) {
	value, ok := number.ParseBool([]byte(text))
	if !ok {
		value, _, ok = number.ParseTruth([]byte(text))
	}
	if ok {
		return Bool(value), nil
	}
	return nil, fmt.Errorf("%q is neither true nor false: expected true or false", text)
}

func parseTexts(text string) (*Expr, error) {
	if strings.TrimSpace(text) == "" {
		return Texts(), nil
	}
	r := csv.NewReader(strings.NewReader(text))
	r.TrimLeadingSpace = true
	items, err := r.Read()
	if err == nil {
		if _, err = r.Read(); err == nil {
			err = errors.New("there is a line break in it")
		} else if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a list of texts: expected texts separated by commas, such as a,b,\"c, d\": %w", text, err)
	}
	for i, item := range items {
		if items[i] = strings.TrimSpace(item); items[i] == "" {
			return nil, fmt.Errorf("item %d of the list %q is empty: expected texts separated by commas", i+1, text)
		}
	}
	return Texts(items...), nil
}
