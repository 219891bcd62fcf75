package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Target is a flag whose value goes somewhere.
type Target func(*Settings) error

// Into reads a flag's value into a variable, which without a value stays as it is.
func Into[T any](to *T, flag string, parse func(string) (T, error)) Target {
	return func(s *Settings) (err error) {
		*to, err = Parse(s, flag, *to, parse)
		return err
	}
}

// Read reads several flags, up to the first whose value is wrong.
func (s *Settings) Read(flags ...Target) error {
	for _, read := range flags {
		if err := read(s); err != nil {
			return err
		}
	}
	return nil
}

// Number returns a parser of whole numbers of things, at least and at most so many.
func Number(things string, least, most int) func(string) (int, error) {
	return func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < least || n > most {
			return 0, fmt.Errorf("%q is not a number of %s: expected %d to %d", text, things, least, most)
		}
		return n, nil
	}
}

// OneOf returns a parser that takes one of a few names of some kind.
func OneOf(kind string, names ...string) func(string) (string, error) {
	return func(text string) (string, error) {
		if !slices.Contains(names, text) {
			return "", fmt.Errorf("there is no %s %q; there are %s", kind, text, strings.Join(names, ", "))
		}
		return text, nil
	}
}

// Time parses how long something takes.
func Time(text string) (time.Duration, error) {
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("%q is not a time: expected one such as 90s, 15m or 24h", text)
	}
	return d, nil
}

// Several returns a parser of values with commas between them.
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
