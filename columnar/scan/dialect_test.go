package scan

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
)

var salesTable = columnar.Table{Name: "sales", Columns: []columnar.TableColumn{
	{Name: "id", Header: "id", Format: columnar.FormatInt},
	{Name: "amount", Header: "amount", Format: columnar.FormatDecimal},
}}

// salesFile makes rows like 17,Bonn,12.50,two or three words,2024-03-01. write writes the cells of
// row i.
func salesFile(size int, write func(b *bytes.Buffer, i int, cells []string)) []byte {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the story of a man who comes home and finds nothing as it was")
	b := new(bytes.Buffer)
	write(b, -1, []string{"id", "city", "amount", "note", "day"})
	for i := 0; b.Len() < size; i++ {
		note := words[rng.IntN(len(words))]
		for range rng.IntN(6) {
			note += " " + words[rng.IntN(len(words))]
		}
		write(b, i, []string{
			fmt.Sprint(i), []string{"Bonn", "Ulm", "Paris", "Köln"}[rng.IntN(4)], fmt.Sprintf("%d.%02d", rng.IntN(10000), rng.IntN(100)),
			note, fmt.Sprintf("20%02d-%02d-%02d", rng.IntN(24), 1+rng.IntN(12), 1+rng.IntN(28)),
		})
	}
	return b.Bytes()
}

// separated writes cells with a delimiter between them and a quote around them.
func separated(delimiter, quote string) func(*bytes.Buffer, int, []string) {
	return func(b *bytes.Buffer, _ int, cells []string) {
		b.WriteString(quote + strings.Join(cells, quote+delimiter+quote) + quote + "\n")
	}
}

// someOf writes plain rows, every n-th of them by other.
func someOf(n int, other func(b *bytes.Buffer, i int, cells []string)) func(*bytes.Buffer, int, []string) {
	return func(b *bytes.Buffer, i int, cells []string) {
		if i%n == n-1 {
			other(b, i, cells)
			return
		}
		separated(",", "")(b, i, cells)
	}
}

var benchDialects = []struct {
	name    string
	dialect columnar.Dialect
	write   func(b *bytes.Buffer, i int, cells []string)
}{
	{"semicolons", columnar.Dialect{Delimiter: ";"}, separated(";", "")},
	{"all in double quotes", columnar.Dialect{}, separated(",", `"`)},
	{"all in single quotes", columnar.Dialect{Quote: "'"}, separated(",", "'")},
	{"never quoted", columnar.Dialect{Unquoted: true}, separated(",", "")},
	{"comments", columnar.Dialect{Comment: "#"}, someOf(1000, func(b *bytes.Buffer, i int, cells []string) {
		b.WriteString("# it's a \"comment\", of row 1000\n")
		separated(",", "")(b, i, cells)
	})},
	{"padded", columnar.Dialect{Pad: 5}, someOf(1000, func(b *bytes.Buffer, i int, cells []string) { separated(",", "")(b, i, cells[:3]) })},
	{"two colons", columnar.Dialect{Delimiter: "::"}, separated("::", "")},
	{"two bars, quoted", columnar.Dialect{Delimiter: "||"}, separated("||", `"`)},
	{"arrows", columnar.Dialect{Delimiter: "-->"}, separated("-->", "")},
	{"backslashes", columnar.Dialect{Escape: `\`}, someOf(20, func(b *bytes.Buffer, i int, cells []string) {
		cells[3] = `"he said \"` + cells[3] + `\", \\"`
		separated(",", "")(b, i, cells)
	})},
}

// BenchmarkDialects scans the same rows written in each dialect, in turn with plain ones, and
// reports the rows that it reads in a second of a processor and how many that is for one of the plain file.
func BenchmarkDialects(b *testing.B) {
	const size = 16 << 20
	plain := memFile(b, "plain.csv", salesFile(size, separated(",", "")))
	for _, d := range benchDialects {
		b.Run(d.name, func(b *testing.B) {
			table := salesTable
			table.Dialect = d.dialect
			f := memFile(b, "dialect.csv", salesFile(size, d.write))
			rate := func(table *columnar.Table, f vfs.File) float64 {
				begin := cpuTime()
				rows := scanOnce(b, table, []string{"amount"}, f, Options{}, 2, true)
				return float64(rows) / 1e6 / (cpuTime() - begin).Seconds()
			}
			best, bestPlain := 0.0, 0.0
			for b.Loop() {
				best, bestPlain = max(best, rate(&table, f)), max(bestPlain, rate(&salesTable, plain))
			}
			b.ReportMetric(best, "Mrows/cpu-s")
			b.ReportMetric(best/bestPlain, "of-plain")
		})
	}
}

// BenchmarkDeclared scans a table whose types are declared, so that each cell is checked, in turn
// with one whose types are not, and reports how many rows that is for one of the latter.
func BenchmarkDeclared(b *testing.B) {
	formats := []columnar.Format{columnar.FormatInt, columnar.FormatDecimal, columnar.FormatDay, columnar.FormatOptional}
	for _, columns := range []int{4, 28} {
		b.Run(fmt.Sprintf("columns=%d", columns), func(b *testing.B) {
			var free, declared columnar.Table
			var file []byte
			for c := range columns {
				column := columnar.TableColumn{Name: fmt.Sprintf("c%d", c), Header: fmt.Sprintf("c%d", c), Format: formats[c%len(formats)]}
				free.Columns = append(free.Columns, column)
				column.Strict = column.Format != columnar.FormatOptional
				declared.Columns = append(declared.Columns, column)
				file = append(append(file, column.Header...), ",\n"[min(1, (c+1)/columns)])
			}
			for rng := rand.New(rand.NewPCG(1, 2)); len(file) < 16<<20; {
				for c := range columns {
					switch formats[c%len(formats)] {
					case columnar.FormatInt:
						file = fmt.Append(file, rng.IntN(10_000_000))
					case columnar.FormatDecimal:
						file = fmt.Appendf(file, "%d.%02d", rng.IntN(10000), rng.IntN(100))
					case columnar.FormatDay:
						file = fmt.Appendf(file, "20%02d-%02d-%02d", rng.IntN(24), 1+rng.IntN(12), 1+rng.IntN(28))
					default:
						file = append(file, "some words"[:4+rng.IntN(6)]...)
					}
					file = append(file, ",\n"[min(1, (c+1)/columns)])
				}
			}
			f := memFile(b, "declared.csv", file)
			rate := func(table *columnar.Table) float64 {
				begin := cpuTime()
				rows := scanOnce(b, table, []string{"c1"}, f, Options{}, 2, true)
				return float64(rows) / 1e6 / (cpuTime() - begin).Seconds()
			}
			best, bestFree := 0.0, 0.0
			for b.Loop() {
				best, bestFree = max(best, rate(&declared)), max(bestFree, rate(&free))
			}
			b.ReportMetric(best, "Mrows/cpu-s")
			b.ReportMetric(best/bestFree, "of-undeclared")
		})
	}
}
