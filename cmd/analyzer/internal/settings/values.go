package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"analyzer/compose/session/fault"
)

// Number returns a parser of whole numbers from least to most; things says what is counted,
// for messages.
func Number(things string, least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a number of %s: expected %d to %d", text, things, least, most)
		}
		return n, nil
	}
}

// Real returns a parser of numbers from least to most; what says what they are, for messages.
func Real(what string, least, most float64) func(string) (float64, error) {
	return func(text string) (float64, error) {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v >= least && v <= most) { // so NaN is refused
			return 0, fmt.Errorf("%q is not %s: expected %g to %g", text, what, least, most)
		}
		return v, nil
	}
}

// Among returns a parser that accepts a few words; kind says what they are, for messages.
func Among[T ~string](kind string, words ...string) func(string) (T, error) {
	return func(text string) (T, error) {
		if !slices.Contains(words, text) {
			hint := fault.Hint(text, words, "Did you mean %s?", "Next: write "+strings.Join(words, " or ")+".")
			return "", fault.WrongUsage(hint, "there is no %s %q; there are %s", kind, text, strings.Join(words, ", "))
		}
		return T(text), nil
	}
}

// Time parses a positive duration.
func Time(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a time: expected one such as 90s, 15m or 24h", text)
	}
	return d, nil
}

// Several returns a parser of comma-separated values.
func Several[T comparable](parse func(string) (T, error)) func(string) ([]T, error) {
	return func(text string) (all []T, err error) {
		for part := range strings.SplitSeq(text, ",") {
			v, err := parse(strings.TrimSpace(part))
			if err != nil {
				return nil, err
			}
			if !slices.Contains(all, v) {
				all = append(all, v)
			}
		}
		return all, nil
	}
}
