package fileoptions

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"analyzer/operators/query/sql"
)

// normalName makes a name of one in a header that needs no quotes, as DuckDB does: its ASCII letters in
// lower case, digits, and _ for runs of spaces.
func normalName(header string) string {
	plain := strings.Map(func(r rune) rune {
		switch {
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case r == '_', 'a' <= r && r <= 'z', '0' <= r && r <= '9', strings.ContainsRune(" \t\r\n\v\f", r):
			return r
		}
		return -1
	}, norm.NFKD.String(header))
	name := strings.Join(strings.Fields(plain), "_")
	switch {
	case name == "":
		return "_"
	case name[0] >= '0' && name[0] <= '9', slices.Contains(sql.ReservedWords(), strings.ToUpper(name)):
		return "_" + name
	}
	return name
}
