package sniff

import (
	"strings"
	"unicode"

	"analyzer/columnar/stored"
)

// latin is a language with Latin letters: those beyond ASCII, in small letters, and of these some that
// tell it from others, all of which must occur.
type latin struct{ encoding, letters, keys string }

// latins are the languages whose texts are told from Western ones in windows-1252. The first encoding of several that a
// text may be in is taken.
var latins = []latin{
	{"windows-1250", "ąćęłńóśźż", "łą"},
	{"windows-1250", "ąćęłńóśźż", "łż"},
	{"windows-1250", "ąćęłńóśźż", "łę"},
	{"windows-1250", "áčďéěíňóřšťúůýž", "ěř"},
	{"windows-1250", "áčďéěíňóřšťúůýž", "ěů"},
	{"windows-1250", "áčďéěíňóřšťúůýž", "ěč"},
	{"windows-1250", "áäčďéíĺľňóôŕšťúýž", "čľ"},
	{"windows-1250", "áäčďéíĺľňóôŕšťúýž", "čť"},
	{"windows-1250", "áéíóöőúüű", "őéö"},
	{"windows-1250", "áéíóöőúüű", "őű"},
	{"windows-1250", "âăîşţ", "ăş"},
	{"windows-1250", "âăîşţ", "ăţ"},
	{"windows-1250", "ćčđšž", "čć"},
	{"windows-1254", "âçîöûüğış", "ış"},
	{"windows-1254", "âçîöûüğış", "ığ"},
	{"windows-1257", "ąčęėįšųūž", "ėš"},
	{"windows-1257", "ąčęėįšųūž", "ėų"},
	{"windows-1257", "āčēģīķļņšūž", "āī"},
	{"windows-1257", "āčēģīķļņšūž", "āē"},
	{"iso-8859-2", "ąćęłńóśźż", "łą"},
	{"iso-8859-2", "ąćęłńóśźż", "łż"},
	{"iso-8859-2", "áčďéěíňóřšťúůýž", "ěř"},
	{"iso-8859-2", "áčďéěíňóřšťúůýž", "ěš"},
	{"iso-8859-2", "áäčďéíĺľňóôŕšťúýž", "čľ"},
	{"cp850", "äöüßé", "äö"}, // of DOS, in whose other pages these letters are the same
	{"cp850", "äöüßé", "äü"},
	{"cp850", "äöüßé", "öü"},
	{"cp850", "àâçéèêëîïôùûü", "éè"},
	{"cp850", "àâçéèêëîïôùûü", "éç"},
	{"cp850", "áéíñóúü", "ñó"},
	{"cp850", "áéíñóúü", "íó"},
	{"cp850", "åäöé", "åä"},
	{"cp850", "æøåé", "øå"},
	{"macintosh", "äöüßé", "äö"},
	{"macintosh", "äöüßé", "äü"},
	{"macintosh", "àâçéèêëîïôùûü", "éè"},
	{"macintosh", "àâçéèêëîïôùûü", "éç"},
}

// westerns are the letters of languages written in western, of which those of a text must not be.
var westerns = []latin{
	{western, "äöüßé", ""},
	{western, "àâäçéèêëîïñôöùûüÿæœ", ""},
	{western, "áàçéèíïñóòúü", ""},
	{western, "áâãàçéêíóôõúü", ""},
	{western, "àèéìíîòóùú", ""},
	{western, "åäöæøéèêëàáôòóüß", ""},
	{western, "áæðéíóöøúýþ", ""},
	{western, "äéèëêïíóôöüúá", ""},
	{western, "äöõüšžåé", ""},
}

// A language is certain by so many letters, of which so many are different.
const (
	leastLatin     = 6
	leastDifferent = 3
)

// signs are those that no letter follows in any text.
const signs = "¹²³ºª¶±¼½¾´¸"

// fits reports whether all letters of a text beyond ASCII are letters of the language, its keys among them,
// and no other sign stands within words.
func (a latin) fits(text string) bool {
	all, found, before := 0, make(map[rune]bool), ' '
	runes := []rune(text)
	for i, r := range runes {
		low := unicode.ToLower(r)
		switch {
		case low < 0x80: // also İ
		case strings.ContainsRune(a.letters, low):
			all++
			found[low] = true
		case unicode.IsLetter(r) || r == unicode.ReplacementChar || unicode.IsControl(r):
			return false
		case i+1 < len(runes) && unicode.IsLetter(runes[i+1]) && (unicode.IsLetter(before) || strings.ContainsRune(signs, r)):
			return false
		}
		before = r
	}
	for _, key := range a.keys {
		if !found[key] {
			return false
		}
	}
	return a.keys == "" || all >= leastLatin && len(found) >= leastDifferent
}

// latin returns the encoding of a text in a language with Latin letters that is certainly not western; "" if
// none is certain.
func (l *letters) latin() string {
	if l.invalid <= l.valid {
		return ""
	}
	text := string(stored.Decode(western, l.sample))
	for _, language := range westerns {
		if language.fits(text) {
			return ""
		}
	}
	texts := make(map[string]string)
	for _, language := range latins {
		if _, ok := texts[language.encoding]; !ok {
			texts[language.encoding] = string(stored.Decode(language.encoding, l.sample))
		}
		if language.fits(texts[language.encoding]) {
			return language.encoding
		}
	}
	return ""
}
