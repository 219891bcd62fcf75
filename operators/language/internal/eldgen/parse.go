package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"analyzer/operators/language/internal/ngram"
)

// parseDictionary reads the array of dictionary.js, which writes every byte as
// one character, and returns the byte of each. Bytes that its n-grams do not
// use are written as a space, and are left out.
func parseDictionary(js string) (map[rune]byte, error) {
	_, list, ok := strings.Cut(js, "export const dictionary = [")
	if !ok {
		return nil, fmt.Errorf("no dictionary")
	}
	items := regexp.MustCompile(`'(\\?.)'`).FindAllStringSubmatch(list, -1)
	if len(items) != 256 {
		return nil, fmt.Errorf("%d items, want 256", len(items))
	}
	bytes := make(map[rune]byte)
	for b, item := range items {
		text := strings.TrimPrefix(item[1], `\`)
		r, size := utf8.DecodeRuneInString(text)
		if size != len(text) {
			return nil, fmt.Errorf("item %d is %q, want one character", b, text)
		}
		if r == ' ' {
			continue
		}
		if other, ok := bytes[r]; ok {
			return nil, fmt.Errorf("%q stands for %#x and %#x", r, other, b)
		}
		bytes[r] = byte(b)
	}
	return bytes, nil
}

// parseLetters reads the character class of all letters from regexPatterns.js.
func parseLetters(js string) ([]ngram.Range, error) {
	class := regexp.MustCompile(`'alias': 'Letter',\s*'bmp': '([^']*)'`).FindStringSubmatch(js)
	if class == nil {
		return nil, fmt.Errorf("no letters")
	}
	const one = `(\\x[0-9A-F]{2}|\\u[0-9A-F]{4}|[A-Za-z])`
	var ranges []ngram.Range
	read := 0
	for _, m := range regexp.MustCompile(one+`(?:-`+one+`)?`).FindAllStringSubmatch(class[1], -1) {
		read += len(m[0])
		first, err := parseCharacter(m[1])
		if err != nil {
			return nil, err
		}
		last := first
		if m[2] != "" {
			if last, err = parseCharacter(m[2]); err != nil {
				return nil, err
			}
		}
		ranges = append(ranges, ngram.Range{First: first, Last: last})
	}
	if read != len(class[1]) {
		return nil, fmt.Errorf("understood %d bytes of the %d that list the letters", read, len(class[1]))
	}
	return ranges, nil
}

// parseCharacter reads a letter, or an escape of two or four digits.
func parseCharacter(text string) (rune, error) {
	if len(text) == 1 {
		return rune(text[0]), nil
	}
	v, err := strconv.ParseUint(text[2:], 16, 16)
	if err != nil {
		return 0, fmt.Errorf("character %q: %w", text, err)
	}
	return rune(v), nil
}

// parseTable reads the languages and n-grams of a table of eld, an object like
//
//	{type:'L60',languages:{0:'am',…},isSubset:false,ngrams:{5656:{44:0},' Lé4L':{0:176},…}}
//
// whose keys are numbers, names, or quoted; the only escape is \'.
func parseTable(js string, bytes map[rune]byte) (*table, error) {
	_, js, ok := strings.Cut(js, "languages:{")
	if !ok {
		return nil, fmt.Errorf("no languages")
	}
	languages, js, ok := strings.Cut(js, "},isSubset:false,ngrams:{")
	if !ok {
		return nil, fmt.Errorf("no n-grams")
	}
	t := &table{grams: make(map[ngram.Key]map[string]int)}
	for _, item := range strings.Split(languages, ",") {
		number, code, _ := strings.Cut(item, ":")
		if number != strconv.Itoa(len(t.languages)) {
			return nil, fmt.Errorf("language %s after %d", number, len(t.languages)-1)
		}
		t.languages = append(t.languages, strings.Trim(code, "'"))
	}
	item := regexp.MustCompile(`^(?:'((?:[^'\\]|\\')*)'|"([^"\\]*)"|([^'":,{}]+)):\{([0-9:,]+)\},?`)
	for !strings.HasPrefix(js, "}}") {
		m := item.FindStringSubmatch(js)
		if m == nil {
			return nil, fmt.Errorf("no n-gram in %.40q", js)
		}
		js = js[len(m[0]):]
		text := strings.ReplaceAll(m[1], `\'`, "'") + m[2] + m[3]
		key, err := parseKey(text, bytes)
		if err != nil {
			return nil, err
		}
		if err := t.addScores(key, m[4]); err != nil {
			return nil, fmt.Errorf("n-gram %q: %w", text, err)
		}
	}
	return t, nil
}

// parseKey reads an n-gram. A space before it says that the word starts with
// it, one behind that the word ends.
func parseKey(text string, bytes map[rune]byte) (ngram.Key, error) {
	body := strings.TrimPrefix(text, " ")
	kind := ngram.Inside
	if len(body) != len(text) {
		kind = ngram.Prefix
	}
	if whole := strings.TrimSuffix(body, " "); len(whole) != len(body) {
		body = whole
		kind += ngram.Suffix - ngram.Inside
	}
	var packed uint32
	n := 0
	for _, r := range body {
		b, ok := bytes[r]
		if !ok {
			return 0, fmt.Errorf("n-gram %q: no byte is written %q", text, r)
		}
		packed = packed<<8 | uint32(b)
		n++
	}
	if n == 0 || n > 4 || n < 4 && kind != ngram.Whole {
		return 0, fmt.Errorf("n-gram %q: %d bytes of kind %d", text, n, kind)
	}
	return kind.Of(packed << (8 * (4 - n))), nil
}
