package sniff

import (
	"bytes"
	"strings"

	"analyzer/columnar/csv"
)

// description is a format whose files say above their rows what the columns are called: a line begins it, and
// one begins the rows; between them each line that names says stands for has one name, in the section that one
// begins, if there are sections.
type description struct {
	begins, rows, section string // lines begin so, in small letters
	name                  func(line string) string
	comments              string // lines that begin with one of these say nothing
}

// descriptions are those of ARFF (https://waikato.github.io/weka-wiki/formats_and_processing/arff_stable) and
// LAS 2.0 (https://www.cwls.org/products).
var descriptions = []description{
	{begins: "@relation", rows: "@data", name: attributeName, comments: "%"},
	{begins: "~v", rows: "~a", section: "~c", name: mnemonic, comments: "#"},
}

// attributeName returns the name in a line such as @attribute 'wind speed' numeric, or "".
func attributeName(line string) string {
	const word = "@attribute"
	if !hasPrefixFold(line, word) {
		return ""
	}
	rest := strings.TrimSpace(line[len(word):])
	if rest != "" && strings.ContainsRune(`'"`, rune(rest[0])) {
		if end := strings.IndexByte(rest[1:], rest[0]); end > 0 {
			return rest[1 : 1+end]
		}
	}
	name, _, _ := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
	return name
}

// mnemonic returns the name in a line such as DEPT.M : depth, or "".
func mnemonic(line string) string {
	name, _, _ := strings.Cut(line, ".")
	return strings.TrimSpace(name)
}

// behindDescription returns the record behind a description above the rows, and keeps the names in it; or first.
func (l *looked) behindDescription(b *csv.Block, first int) int {
	line := func(i int) string { return string(bytes.TrimSpace(b.Record(i))) }
	at := first
	for at < min(b.Len(), first+matterLines) && (b.Fields(at) == 0 || strings.HasPrefix(line(at), "%") || strings.HasPrefix(line(at), "#")) {
		at++
	}
	if at == b.Len() {
		return first
	}
	for _, d := range descriptions {
		if !hasPrefixFold(line(at), d.begins) {
			continue
		}
		var names []string
		within := d.section == ""
		rows := behindLine(b, at, func(i int) bool {
			switch text := line(i); {
			case hasPrefixFold(text, d.rows):
				return true
			case text == "" || strings.Contains(d.comments, text[:1]):
			case d.section != "" && text[0] == d.section[0]:
				within = hasPrefixFold(text, d.section)
			case within:
				if name := d.name(text); name != "" {
					names = append(names, name)
				}
			}
			return false
		})
		if rows > at {
			l.described = names
			return rows
		}
	}
	return first
}

func hasPrefixFold(text, prefix string) bool {
	return len(text) >= len(prefix) && strings.EqualFold(text[:len(prefix)], prefix)
}
