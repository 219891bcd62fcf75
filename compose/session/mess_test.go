package session_test

import (
	"cmp"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/session"
)

// table is a clean table: texts that a reader must give back, "" for null.
type table struct {
	names []string
	rows  [][]string
}

// mess is a table on its way into a file, which a kind of mess makes dirty.
type mess struct {
	*rand.Rand
	table
	delimiter string
	quote     byte
	escape    string // before quotes and itself; "": quotes are doubled
	quoteAll  bool
	end       string   // of lines
	above     []string // lines before the header
	headless  bool
	between   map[int][]string                  // lines before a row
	line      func(row int, text string) string // changes a row's line; -1: the header's
	below     []string
	bytes     func(string) string
	renamed   string       // what the last column is called in the answer; "": as in the file
	spaced    bool         // spaces around cells may stay
	lost      map[int]bool // rows that may be missing or changed, if something is said
}

// clean draws a table with a column of numbers and some others.
func clean(rng *rand.Rand) table {
	makers := map[string]func(i int) string{
		"id":    func(i int) string { return strconv.Itoa(1000 + i) },
		"count": func(int) string { return maybe(rng, strconv.Itoa(rng.IntN(5000)-100)) },
		"price": func(int) string { return maybe(rng, fmt.Sprintf("%d.%02d", rng.IntN(900), rng.IntN(100))) },
		"city":  func(int) string { return []string{"Oslo", "Bergen", "São Paulo", "New York", "Köln"}[rng.IntN(5)] },
		"remark": func(int) string {
			return maybe(rng, []string{"fine", "late, but complete", "he said \"no\"", "see below"}[rng.IntN(4)])
		},
		"address": func(int) string { return []string{"Main St 1\nBackyard", "Ring 7", "Am Markt 3, links"}[rng.IntN(3)] },
		"day": func(int) string {
			return maybe(rng, fmt.Sprintf("20%02d-%02d-%02d", 10+rng.IntN(15), 1+rng.IntN(12), 1+rng.IntN(28)))
		},
		"seen": func(int) string {
			return fmt.Sprintf("2024-%02d-%02d %02d:%02d:%02d", 1+rng.IntN(12), 1+rng.IntN(28), rng.IntN(24), rng.IntN(60), rng.IntN(60))
		},
		"open": func(int) string { return strconv.FormatBool(rng.IntN(2) == 0) },
		"code": func(int) string { return fmt.Sprintf("A-%04d", rng.IntN(9000)) },
	}
	t := table{names: []string{"id"}}
	for _, name := range []string{"count", "price", "city", "remark", "address", "day", "seen", "open", "code"} {
		if rng.IntN(2) == 0 {
			t.names = append(t.names, name)
		}
	}
	if len(t.names) == 1 {
		t.names = append(t.names, "city", "count")
	}
	rng.Shuffle(len(t.names), func(i, j int) { t.names[i], t.names[j] = t.names[j], t.names[i] })
	for i := range 12 + rng.IntN(150) {
		row := make([]string, len(t.names))
		for c, name := range t.names {
			row[c] = makers[name](i)
		}
		t.rows = append(t.rows, row)
	}
	return t
}

// maybe returns a text or, seldom, none.
func maybe(rng *rand.Rand, text string) string {
	if rng.IntN(12) == 0 {
		return ""
	}
	return text
}

// column returns the index of a column, adding it if the table has none of that name.
func (m *mess) column(name string, cell func() string) int {
	for i, n := range m.names {
		if n == name {
			return i
		}
	}
	m.names = append(m.names, name)
	for i := range m.rows {
		m.rows[i] = append(m.rows[i], cell())
	}
	return len(m.names) - 1
}

// some draws some rows, not the first ones.
func (m *mess) some(n int) []int {
	var out []int
	for range n {
		out = append(out, 3+m.IntN(len(m.rows)-3))
	}
	return out
}

// record writes cells as a line.
func (m *mess) record(cells []string) string {
	out := make([]string, len(cells))
	for i, c := range cells {
		q := string(m.quote)
		if m.quote != 0 && (m.quoteAll || strings.Contains(c, m.delimiter) || strings.ContainsAny(c, q+"\r\n")) {
			if m.escape != "" {
				c = strings.ReplaceAll(c, m.escape, m.escape+m.escape)
			}
			c = q + strings.ReplaceAll(c, q, cmp.Or(m.escape, q)+q) + q
		}
		out[i] = c
	}
	return strings.Join(out, m.delimiter)
}

// file writes the file.
func (m *mess) file() string {
	var lines []string
	add := func(row int, cells []string) {
		text := m.record(cells)
		if m.line != nil {
			text = m.line(row, text)
		}
		lines = append(lines, text)
	}
	lines = append(lines, m.above...)
	if !m.headless {
		add(-1, m.names)
	}
	for i, row := range m.rows {
		lines = append(lines, m.between[i]...)
		add(i, row)
	}
	lines = append(lines, m.below...)
	text := strings.Join(lines, m.end) + m.end
	if m.bytes != nil {
		text = m.bytes(text)
	}
	return text
}

// verdict is how a file was read.
type verdict int

const (
	exact verdict = iota // all of the table is there
	named                // some of it is not, and that is said
	wrong                // it is another table and nothing is said, or it is refused
)

// read reads the file with nothing said about it.
func (m *mess) read(t *testing.T) (verdict, string) {
	t.Helper()
	file := m.file()
	var said []string
	fs := memory("/f.csv", file)
	ses := session.New(session.Config{
		FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 2, MaxRejects: -1,
		Notice: func(n session.Notice) { said = append(said, n.Text) },
	})
	asked, err := ses.Prepare(t.Context(), "FROM '/f.csv'", nil)
	if err != nil {
		return wrong, err.Error()
	}
	defer asked.Close()
	var b strings.Builder
	out, err := answers.NewStream(&b, answers.Options{Format: answers.CSV, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	report, err := asked.Run(t.Context(), out)
	if err = errors.Join(err, out.Finish()); err != nil {
		return wrong, err.Error()
	}
	for _, table := range report.Tables {
		said = append(said, table.Stats.Notices...)
		for _, c := range append(table.Stats.Rejected, table.Stats.Warnings...) {
			said = append(said, c.What)
		}
	}
	got, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return m.judge(got, said)
}

func (m *mess) judge(got [][]string, said []string) (verdict, string) {
	want := slices.Clone(m.names)
	if m.renamed != "" {
		want[len(want)-1] = m.renamed
	}
	if !m.headless && !m.equal(got[0], want) {
		return wrong, fmt.Sprintf("names %q, not %q; %q", got[0], want, said)
	}
	next, missing := 0, 0
	got = got[1:]
	for i, row := range m.rows {
		switch {
		case next < len(got) && m.equal(got[next], row):
			next++
		case m.lost[i]:
			missing++
			next += m.ruins(i+1, got[next:])
		default:
			have := "nothing"
			if next < len(got) {
				have = fmt.Sprintf("%q", got[next])
			}
			return wrong, fmt.Sprintf("row %d is %s, not %q; %q", i, have, row, said)
		}
	}
	if next < len(got) {
		return wrong, fmt.Sprintf("more rows: %q; %q", got[next], said)
	}
	if missing == 0 {
		return exact, ""
	}
	if len(said) == 0 {
		return wrong, fmt.Sprintf("%d rows are lost, and nothing is said", missing)
	}
	return named, fmt.Sprintf("%d rows lost; %q", missing, said)
}

// ruins returns how many rows, of those that were read, lie before the next row that is not lost.
func (m *mess) ruins(next int, got [][]string) int {
	for next < len(m.rows) && m.lost[next] {
		next++
	}
	for n, row := range got {
		if next < len(m.rows) && m.equal(row, m.rows[next]) {
			return n
		}
	}
	if next < len(m.rows) {
		return 0
	}
	return len(got)
}

// equal compares cells; numbers may be written in another way.
func (m *mess) equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if m.spaced && strings.TrimSpace(a[i]) == strings.TrimSpace(b[i]) {
			continue
		}
		x, errX := strconv.ParseFloat(a[i], 64)
		y, errY := strconv.ParseFloat(b[i], 64)
		if a[i] != b[i] && (errX != nil || errY != nil || x != y) {
			return false
		}
	}
	return true
}

const heldRounds = 12

var rounds = flag.Int("rounds", heldRounds, "tables that TestMess makes dirty by each operation")

// TestMess makes tables dirty by known operations, and wants them back, or the loss named. No more
// losses of a kind may be named than on the scoreboard, whose tables begin with these. With more
// rounds it counts for the scoreboard itself.
func TestMess(t *testing.T) {
	rounds := *rounds
	if testing.Short() {
		rounds = 1
	}
	counted := countedMess(t)
	for name, dirty := range operations() {
		t.Run(name, func(t *testing.T) {
			var count [3]int
			for seed := range uint64(rounds) {
				rng := rand.New(rand.NewPCG(seed, 26))
				m := &mess{Rand: rng, table: clean(rng), delimiter: ",", quote: '"', end: "\n", between: make(map[int][]string), lost: make(map[int]bool)}
				dirty(m)
				v, why := m.read(t)
				if count[v]++; v == wrong {
					file := m.file()
					t.Errorf("seed %d: %s\n%s", seed, why, file[:min(len(file), 600)])
				}
			}
			t.Logf("%-32s %3d exact %3d named %3d wrong", name, count[exact], count[named], count[wrong])
			if most, ok := counted[name]; rounds <= heldRounds && (!ok || count[named] > most) {
				t.Errorf("docs/scoreboard.md has %d such tables that are not exact, and of %d of them %d are not", most, rounds, count[named])
			}
		})
	}
	for name := range counted {
		if operations()[name] == nil {
			t.Errorf("docs/scoreboard.md counts %q, and there is no such kind", name)
		}
	}
}

// countedMess returns how many tables of each kind docs/scoreboard.md counts as refused by name.
func countedMess(t *testing.T) map[string]int {
	t.Helper()
	page, err := os.ReadFile("../../docs/scoreboard.md")
	if err != nil {
		t.Fatal(err)
	}
	counted := make(map[string]int)
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| \d+ \| \d+ \| (\d+) \| \d+ \|$`).FindAllStringSubmatch(string(page), -1) {
		if counted[row[1]], err = strconv.Atoi(row[2]); err != nil {
			t.Fatal(err)
		}
	}
	return counted
}
