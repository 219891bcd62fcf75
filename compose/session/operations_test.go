package session_test

import (
	"fmt"
	"strings"
	"unicode/utf16"
)

// operations are kinds of mess, each of which a file may have. What a kind cannot keep is lost in
// the rows that it names.
func operations() map[string]func(m *mess) {
	ops := map[string]func(m *mess){
		"nothing":                 func(*mess) {},
		"all cells in quotes":     func(m *mess) { m.quoteAll = true },
		"single quotes":           func(m *mess) { m.quote, m.quoteAll = '\'', true },
		"CRLF":                    func(m *mess) { m.end = "\r\n" },
		"CR":                      func(m *mess) { m.end = "\r" },
		"byte order mark":         func(m *mess) { m.bytes = func(s string) string { return "\ufeff" + s } },
		"UTF-16":                  func(m *mess) { m.bytes = utf16Of(true, false) },
		"UTF-16, big end first":   func(m *mess) { m.bytes = utf16Of(true, true) },
		"UTF-16 without a mark":   func(m *mess) { m.bytes = utf16Of(false, false) },
		"windows-1252":            func(m *mess) { m.bytes = latin },
		"sep= line":               func(m *mess) { m.delimiter = ";"; m.above = []string{"sep=;"} },
		"no header":               func(m *mess) { m.headless = true },
		"a title":                 func(m *mess) { m.above = []string{"Sales of the north"} },
		"a title and a blank":     func(m *mess) { m.above = []string{"Sales of the north", ""} },
		"a title with delimiters": func(m *mess) { m.above = []string{"Sales, costs and margins of the north, 2024", ""} },
		"a title in the first cell": func(m *mess) {
			m.above = []string{"Sales of the north" + strings.Repeat(m.delimiter, len(m.names)-1)}
		},
		"metadata": func(m *mess) {
			m.above = []string{"Source: office of statistics", "Date: 2024-05-01", "Contact: a.b@example.org", ""}
		},
		"notes below": func(m *mess) { m.below = []string{"", "Source: office of statistics", "Last updated 2024"} },
		"notes right below": func(m *mess) {
			m.below = []string{"Source: office of statistics"}
		},
		"settings above a header and a blank line": func(m *mess) {
			setting := func(text string) string { return text + strings.Repeat(m.delimiter, len(m.names)-1) }
			m.above = []string{setting("Account: " + m.delimiter + "M_01"), setting("Balance: " + m.delimiter + "63.86")}
			m.between[0] = append(m.between[0], "")
		},
		"how many rows and columns above": func(m *mess) {
			if len(m.names) > 2 { // else it may be a row
				m.above = []string{fmt.Sprint(len(m.rows), m.delimiter, len(m.names)) + strings.Repeat(m.delimiter, len(m.names)-2)}
			}
		},
		"comments behind all records": func(m *mess) {
			m.above, m.spaced = []string{"# made by a tool"}, true
			m.line = func(row int, s string) string {
				if row < 0 {
					return s
				}
				return s + " # checked"
			}
		},
		"a count below":         func(m *mess) { m.below = []string{fmt.Sprintf("(%d rows)", len(m.rows))} },
		"comments above":        func(m *mess) { m.above = []string{"# made by a tool", "# version 3, final"} },
		"comments in the table": func(m *mess) { m.above = []string{"# made by a tool"}; m.inside("# checked, see log") },
		"blank lines":           func(m *mess) { m.inside(""); m.inside(""); m.above = []string{""} },
		"lines of delimiters": func(m *mess) { // rows without a value
			at := m.some(1)[0]
			m.rows[at], m.lost[at] = make([]string, len(m.names)), true
		},
		"lines of spaces": func(m *mess) { m.inside("   ") },
		"a delimiter behind all lines": func(m *mess) { // behind which there is no column
			m.line = func(_ int, s string) string { return s + m.delimiter }
		},
		"a delimiter behind rows": func(m *mess) {
			m.line = func(row int, s string) string {
				if row < 0 {
					return s
				}
				return s + m.delimiter
			}
		},
		"numbered rows": numbered,
		"repeated header": func(m *mess) {
			m.inside(m.record(m.names))
		},
		"short rows": short,
		"one field too many": func(m *mess) {
			at := m.some(1)[0]
			m.lost[at] = true
			m.on(at, func(s string) string { return s + m.delimiter + "surplus" })
		},
		"spaces behind delimiters": func(m *mess) { m.delimiter, m.spaced = ", ", true },
		"inch signs": func(m *mess) {
			c := m.column("size", func() string { return "3" })
			for i := range m.rows {
				m.rows[i][c] = fmt.Sprintf("%d.5 inch", 3+i%4)
			}
			m.plain()
			m.line = func(_ int, s string) string { return strings.ReplaceAll(s, " inch", "\"") }
			for i := range m.rows {
				m.rows[i][c] = strings.ReplaceAll(m.rows[i][c], " inch", "\"")
			}
			m.quote = 0
		},
		"a quote that is not doubled": func(m *mess) {
			c := m.column("remark", func() string { return "fine" })
			at := m.some(1)[0]
			m.rows[at][c], m.lost[at] = "XX", true
			m.on(at, func(s string) string { return strings.Replace(s, "XX", `"the "big" one"`, 1) })
		},
		"a quote that is not closed": func(m *mess) {
			c := m.column("remark", func() string { return "fine" })
			at := m.some(1)[0]
			m.rows[at][c], m.rows[len(m.rows)-1][c] = "XX", "closed, at last"
			for i := at; i < min(at+12, len(m.rows)); i++ {
				m.lost[i] = true
			}
			m.on(at, func(s string) string { return strings.Replace(s, "XX", `"open`, 1) })
		},
		"zero bytes": func(m *mess) {
			c := m.column("code", func() string { return "A-1" })
			at := m.some(1)[0]
			m.rows[at][c], m.lost[at] = "A\x00B", true
		},
		"invalid UTF-8": func(m *mess) {
			c := m.column("city", func() string { return "Köln" })
			m.rows[0][c] = "Köln" // otherwise it is windows-1252
			at := m.some(1)[0]
			m.rows[at][c], m.lost[at] = "caf\xe9", true
		},
		"words for null": func(m *mess) {
			word := []string{"NA", "NULL", "N/A", "null", "-"}[m.IntN(5)]
			c := m.column("count", func() string { return "7" })
			for _, at := range m.some(4) {
				m.rows[at][c] = ""
			}
			m.line = func(row int, s string) string {
				if row < 0 || m.rows[row][c] != "" {
					return s
				}
				cells := append([]string(nil), m.rows[row]...)
				cells[c] = word
				return m.record(cells)
			}
		},
		"cut in the last row": func(m *mess) {
			last := len(m.rows) - 1
			m.lost[last] = true
			cut := m.record(m.rows[last][:len(m.names)-1]) // or else it might be another row
			m.on(last, func(string) string { return cut[:1+len(cut)/2] })
		},
		"two rows in one line": func(m *mess) {
			at := m.some(1)[0]
			if at == len(m.rows)-1 {
				at--
			}
			m.lost[at], m.lost[at+1] = true, true
			next := m.record(m.rows[at+1])
			m.line = func(row int, s string) string {
				switch row {
				case at:
					return s + next
				case at + 1:
					return ""
				}
				return s
			}
		},
		"units below the header": func(m *mess) {
			m.column("price", func() string { return "7.5" })
			units := make([]string, len(m.names))
			for i, n := range m.names {
				units[i] = map[string]string{"id": "no.", "price": "EUR", "count": "pcs."}[n]
			}
			m.between[0] = []string{m.record(units)}
		},
		"a smaller table below": func(m *mess) {
			m.below = []string{"", "", "key" + m.delimiter + "meaning", "a" + m.delimiter + "first", "b" + m.delimiter + "second"}
		},
		"whole lines in quotes": func(m *mess) {
			m.flat()
			m.line = func(_ int, s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }
		},
		"a row of totals": func(m *mess) {
			cells := make([]string, len(m.names))
			cells[0] = "Total"
			cells[len(cells)-1] = "99999"
			m.rows = append(m.rows, cells)
			m.lost[len(m.rows)-1] = true
		},
		"a backslash before quotes": func(m *mess) {
			m.quoteAll = true
			m.bytes = func(s string) string {
				return strings.ReplaceAll(strings.ReplaceAll(s, `""`, "\x01"), "\x01", `\"`)
			}
			for i := range m.rows {
				for c, cell := range m.rows[i] {
					if cell == "" { // which "" would be mistaken for
						m.rows[i][c] = "0"
					}
				}
			}
		},
		"JSON in cells":                 func(m *mess) { m.documents() },
		"JSON in cells, all in quotes":  func(m *mess) { m.documents(); m.quoteAll = true },
		"JSON in cells, by backslashes": func(m *mess) { m.documents(); m.escape = `\` },
		"dates by points":               func(m *mess) { m.days(func(y, mo, d string) string { return d + "." + mo + "." + y }) },
		"dates by slashes, month first": func(m *mess) {
			m.days(func(y, mo, d string) string { return mo + "/" + d + "/" + y })
		},
		"header with spaces and case": func(m *mess) {
			m.line = func(row int, s string) string {
				if row < 0 {
					return " " + strings.ReplaceAll(s, m.delimiter, " "+m.delimiter+" ")
				}
				return s
			}
		},
		"cells with spaces around them": func(m *mess) {
			m.plain()
			m.spaced = true
			m.line = func(_ int, s string) string { return strings.ReplaceAll(s, m.delimiter, m.delimiter+"  ") }
		},
		"names repeated": func(m *mess) {
			m.names = append(m.names, "city2", "city2")
			for i := range m.rows {
				m.rows[i] = append(m.rows[i], "a", fmt.Sprint(i))
			}
			m.line = nil
			m.headless = true // whatever they are called
		},
	}
	for name, d := range map[string]string{"semicolons": ";", "tabs": "\t", "bars": "|", "carets": "^", "tildes": "~", "two bars": "||", "two colons": "::"} {
		ops[name] = func(m *mess) { m.delimiter = d }
	}
	return ops
}

// inside puts a line before some row.
func (m *mess) inside(line string) {
	at := m.some(1)[0]
	m.between[at] = append(m.between[at], line)
}

// on changes the line of one row.
func (m *mess) on(at int, change func(string) string) {
	m.line = func(row int, s string) string {
		if row == at {
			return change(s)
		}
		return s
	}
}

// plain takes what needs quotes out of cells, flat line ends alone.
func (m *mess) plain() { m.replace(strings.NewReplacer("\n", " ", `"`, "'", m.delimiter, ";")) }
func (m *mess) flat()  { m.replace(strings.NewReplacer("\n", " ", ", ", " ")) }

func (m *mess) replace(r *strings.Replacer) {
	for i := range m.rows {
		for c := range m.rows[i] {
			m.rows[i][c] = r.Replace(m.rows[i][c])
		}
	}
}

// days writes dates in another way.
func (m *mess) days(write func(year, month, day string) string) {
	c := m.column("day", func() string { return fmt.Sprintf("2020-%02d-%02d", 1+m.IntN(12), 1+m.IntN(28)) })
	m.rows[1][c] = "2021-05-28" // settles which is the day
	m.line = func(row int, s string) string {
		if row < 0 || m.rows[row][c] == "" {
			return s
		}
		cells := append([]string(nil), m.rows[row]...)
		cells[c] = write(cells[c][:4], cells[c][5:7], cells[c][8:])
		return m.record(cells)
	}
}

// numbered puts a column without a name in front, as pandas and R do.
func numbered(m *mess) {
	line := m.line
	m.line = func(row int, s string) string {
		if line != nil {
			s = line(row, s)
		}
		if row < 0 {
			return m.delimiter + s
		}
		return fmt.Sprint(row) + m.delimiter + s
	}
	m.headless = true
	names := m.names
	rows := make([][]string, len(m.rows))
	for i, row := range m.rows {
		rows[i] = append([]string{fmt.Sprint(i)}, row...)
	}
	m.names, m.rows, m.headless = append([]string{"column0"}, names...), rows, false
	m.line = func(row int, s string) string { return s }
}

// short leaves out nulls at the ends of rows.
func short(m *mess) {
	c := m.column("last", func() string { return "x" })
	for _, at := range m.some(3) {
		m.rows[at][c] = ""
		m.lost[at] = true
	}
	m.line = func(row int, s string) string {
		if row >= 0 && m.rows[row][c] == "" {
			return strings.TrimSuffix(s, m.delimiter)
		}
		return s
	}
}

func utf16Of(mark, bigEnd bool) func(string) string {
	return func(s string) string {
		if mark {
			s = "\ufeff" + s
		}
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			low, high := byte(u), byte(u>>8)
			if bigEnd {
				low, high = high, low
			}
			b.WriteByte(low)
			b.WriteByte(high)
		}
		return b.String()
	}
}

// latin writes a text in windows-1252, which has the letters of the table at their code points.
func latin(s string) string {
	var b strings.Builder
	for _, r := range s {
		b.WriteByte(byte(r))
	}
	return b.String()
}

// documents adds a column of JSON, which has quotes, backslashes and delimiters in its strings.
func (m *mess) documents() {
	spaces := [][3]string{{":", ",", ""}, {": ", ", ", ""}, {": ", ",\n ", "\n"}}[m.IntN(3)]
	text := func() string {
		return []string{`fine`, `he said \"no\"`, `\"`, `C:\\dir\\`, `a\nb`, `one, two`, `end\\\"`, `don't`, `\u00e9`}[m.IntN(9)]
	}
	at := m.IntN(len(m.names))
	c := m.column("doc", func() string {
		var parts []string
		for i := range 1 + m.IntN(4) {
			parts = append(parts, fmt.Sprintf(`"k%d"%s"%s"`, i, spaces[0], text()), fmt.Sprintf(`"n%d"%s%d`, i, spaces[0], m.IntN(100)))
		}
		return "{" + spaces[2] + strings.Join(parts, spaces[1]) + spaces[2] + "}"
	})
	for _, cells := range append(m.rows, m.names) {
		cells[at], cells[c] = cells[c], cells[at]
	}
}
