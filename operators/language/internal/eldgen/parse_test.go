package main

import (
	"reflect"
	"strings"
	"testing"

	"analyzer/operators/language/internal/ngram"
)

// dictionary writes byte 0xc3 as "A" and 0xa4 as "'", letters as themselves,
// and all others as a space.
func dictionary() string {
	items := make([]string, 256)
	for b := range items {
		switch {
		case b >= 'a' && b <= 'z' || b >= '0' && b <= '9':
			items[b] = "'" + string(rune(b)) + "'"
		case b == 0xc3:
			items[b] = "'A'"
		case b == 0xa4:
			items[b] = `'\''`
		default:
			items[b] = "' '"
		}
	}
	return "export const dictionary = [\n" + strings.Join(items, ", ") + "]"
}

func TestParse(t *testing.T) {
	bytes, err := parseDictionary(dictionary())
	if err != nil {
		t.Fatal(err)
	}
	js := `export const ngramsData = {type:'X',languages:{0:'fr',1:'en'},isSubset:false,` +
		`ngrams:{5656:{0:1},' abcd':{1:2},'wxyz ':{0:3,1:4}," A' ":{1:5},' \'c ':{0:6},name:{1:255},' wp ':{0:9}}};`
	table, err := parseTable(js, bytes)
	if err != nil {
		t.Fatal(err)
	}
	if err := table.addWords("# words\nok\n\n wp # twice\nabcd\n"); err != nil {
		t.Fatal(err)
	}
	key := func(kind ngram.Kind, b string) ngram.Key {
		return kind.Of(uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3]))
	}
	want := &ngram.Model{
		Languages: []string{"en", "fr"},
		Base:      base,
		Keys: []ngram.Key{
			key(ngram.Inside, "5656"), key(ngram.Inside, "name"), key(ngram.Prefix, "abcd"), key(ngram.Suffix, "wxyz"),
			key(ngram.Whole, "abcd"), key(ngram.Whole, "ok\x00\x00"), key(ngram.Whole, "wp\x00\x00"),
			key(ngram.Whole, "\xa4c\x00\x00"), key(ngram.Whole, "\xc3\xa4\x00\x00"),
		},
		Counts: []byte{1, 1, 1, 2, 1, 1, 2, 1, 1},
		Spoken: []byte{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0},
		Points: []byte{1, 255, 2, 4, 3, wordPoints, wordPoints, wordPoints, 9, 6, 5},
	}
	if got := table.model(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	bytes, err := parseDictionary(dictionary())
	if err != nil {
		t.Fatal(err)
	}
	const head = "languages:{0:'en'},isSubset:false,ngrams:{"
	for _, js := range []string{
		"", "languages:{0:'en'}", "languages:{1:'en'},isSubset:false,ngrams:{}}",
		head, head + "'abcd':{0:1}", head + "'abcd':{0:1},'abcd':{0:1}}}", head + "'abcd':{1:1}}}", head + "'abcd':{0:256}}}",
		head + "'abcd':{0:x}}}", head + "'abc':{0:1}}}", head + "'abcde':{0:1}}}", head + "'  ':{0:1}}}", head + "'ab!d':{0:1}}}",
		head + "'abcd':{:1}}}",
	} {
		if _, err := parseTable(js, bytes); err == nil {
			t.Errorf("%q: parsed", js)
		}
	}
	if err := new(table).addWords("hello"); err == nil {
		t.Error("a long word was added")
	}
	for _, js := range []string{"", "export const dictionary = ['a']", strings.Replace(dictionary(), "'b'", "'a'", 1)} {
		if _, err := parseDictionary(js); err == nil {
			t.Errorf("%.40q: parsed", js)
		}
	}
}

func TestParseLetters(t *testing.T) {
	got, err := parseLetters(`{'L': {'alias': 'Letter',
		'bmp': 'A-Za\xAA\u00C0-\u00D6',`)
	want := []ngram.Range{{First: 'A', Last: 'Z'}, {First: 'a', Last: 'a'}, {First: 0xaa, Last: 0xaa}, {First: 0xc0, Last: 0xd6}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, js := range []string{"", `'alias': 'Letter', 'bmp': 'A-Z!'`, `'alias': 'Letter', 'bmp': '\u00'`} {
		if got, err := parseLetters(js); err == nil {
			t.Errorf("%q: got %v", js, got)
		}
	}
}
