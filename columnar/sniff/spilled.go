package sniff

import (
	"bytes"
	"slices"
	"strings"

	"analyzer/columnar"
)

// spilled tries blanks for delimiters, of which those in the last field are text, as in the commands of ps aux: what is too
// wide for its column there moves the rest of its line, so that nothing lies below its name.
func (f *finder) spilled() error {
	if f.separated() || f.given.Header != nil && !*f.given.Header {
		return nil
	}
	if !bytes.Contains(f.text, []byte("  ")) {
		return nil
	}
	lines := slices.DeleteFunc(f.cuttable(f.text), func(line string) bool { return strings.TrimSpace(line) == "" })
	if !f.best.whole && len(lines) > 0 {
		lines = lines[:len(lines)-1]
	}
	if len(lines) < leastCut || 2*count(lines, isWide) < len(lines) {
		return nil
	}
	names, longer := strings.Fields(lines[0]), 0
	for _, line := range lines[1:] {
		switch words := len(strings.Fields(line)); {
		case words < len(names):
			return nil
		case words > len(names):
			longer++
		}
	}
	if len(names) < leastCut || longer == 0 || slices.ContainsFunc(names, f.given.isValue) {
		return nil
	}
	d := f.parted(columnar.Blanks)
	d.Last = len(names)
	return f.try(d, func(l *looked) bool {
		header, _ := l.headerByTypes()
		return header && l.share() == 1 && l.typedColumns() >= leastCutTyped && l.table.first == 0
	})
}
