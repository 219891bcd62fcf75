package sniff

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/csv"
	"analyzer/columnar/number"
)

// TestSkipPlain compares skipPlain with kindsOf, and checks that common cells are skipped.
func TestSkipPlain(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	// The kinds that a column can have after some cells.
	all := []kinds{text0, allKinds}
	for _, cells := range [][]string{
		{"17"},
		{"1234567890123"},
		{"123456789012345678"},
		{"1.5"},
		{"1", "1.5"},
		{"1.234"},
		{"123.456"},
		{"1", "1.234"},
		{"123.456", "1.234"},
		{"1e5"},
		{"nan"},
		{"-inf", "1.5"},
		{"1.5", "1.23456789"},
		{"2020-01-31"},
		{"2020-01-31 10:00"},
		{"2020/1/31"},
		{"2020/1/31 3:04 PM"},
		{"2020-01-31T10:00:00Z"},
		{"1/31/2020"},
		{"10:30"},
		{"1/31/2020 3:04 PM"},
		{"31.1.2020"},
		{"1/2/2020"},
		{"1.2.2020"},
		{"1.2.2020 10:00"},
		{"1.2.2020", "31.1.2020"},
		{"true"},
		{"T", "N"},
		{"Y"},
		{"yes", "no"},
		{"1,5"},
		{"1.234,5"},
		{"1,234"},
		{"1,234", "5"},
		{"5 %"},
		{"$5"},
		{"5 €", "5"},
		{"123 456"},
		{"(5)"},
		{"(5)", "1"},
		{"31.1.24"},
		{"1.2.24"},
		{"1 Jan 2020"},
		{"1 Jan 2020 10:00"},
		{"5 €", "5 $"},
		{"5 %", "5"},
		{"x"},
	} {
		k := allKinds
		for _, cell := range cells {
			k = k.and(kindsOf([]byte(cell)))
		}
		all = append(all, k)
	}
	skipped := func(cell string) (any bool) {
		data := []byte(cell)
		for range number.Behind {
			data = append(data, "0123456789.-,\n\x00\xff"[rng.IntN(16)])
		}
		for _, k := range all {
			column := csv.Column{Cells: number.Cells{Data: data, Bounds: []int32{-1, int32(len(cell))}, Stride: 1}}
			if skipPlain(k, &column, 0, 1) == 0 {
				continue
			}
			any = true
			if cell == "" || k.and(kindsOf([]byte(cell))) != k {
				t.Fatalf("%q is skipped among %b", cell, k)
			}
		}
		return any
	}
	digits := func(most int) string { return fmt.Sprintf("%018d", rng.Int64N(int64(1e18)))[:1+rng.IntN(most)] }
	for range 200_000 {
		sign := "-"[:rng.IntN(2)]
		cell := []byte(sign + digits(18))
		switch rng.IntN(6) {
		case 0:
			cell = []byte(sign + digits(9) + "." + digits(9))
		case 1:
			cell = number.AppendDate(nil, rng.Int64N(2932896))
		case 2:
			cell = number.AppendTimestamp(nil, rng.Int64N(20_000*number.Day))
		case 3:
			layout := []string{"1/2/2006", "02.01.2006", "2006/1/2", "1/2/2006 3:04 PM", "2006-01-02T15:04:05Z"}[rng.IntN(5)]
			cell = time.UnixMicro(rng.Int64N(20_000*number.Day)).UTC().AppendFormat(nil, layout)
		case 4:
			cell = []byte(sign + digits(3) + []string{".", ",", " "}[rng.IntN(3)] + digits(3) + []string{"", " %", " €", ",5", ".5", ".567"}[rng.IntN(6)])
		}
		if plainNumber := kindsOf(cell); plainNumber&plain != 0 && plainNumber&numbers != numberOf(cell)&numbers {
			t.Fatalf("%q is %x, and as a number that people write %x", cell, plainNumber, numberOf(cell))
		}
		if rng.IntN(2) == 0 {
			cell[rng.IntN(len(cell))] = "0123456789.-+ :eE/\"\x80\xb0x"[rng.IntN(22)]
		}
		skipped(string(cell))
		skipped(string(cell[:rng.IntN(len(cell)+1)]))
	}
	for _, cell := range []string{
		"0", "1", "-1", "12345678", "123456789", "1.5", "-1.5", "0.05", "26.947361", "123456.12345678", "12345678.5", "1992-05-25", "0000-01-01",
		"1.234", "-123.456", "1,5", "1.234,5", "5 %", "5 €", "31.1.24", "1 Jan 2020",
		"2013-07-01 10:11:12", "2013-07-01T10:11",
		"12/31/2020", "1/2/2020", "31.12.2020", "2020/1/5", "1/13/2020 3:04 PM", "2013-07-01T10:11:12Z",
	} {
		if !skipped(cell) {
			t.Errorf("%q is not skipped", cell)
		}
	}
}

func BenchmarkSkipPlain(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		name string
		k    kinds
		cell func() string
	}{
		{"int", kindsOf([]byte("17")).and(kindsOf([]byte("18"))), func() string { return fmt.Sprint(rng.IntN(1e6)) }},
		{"decimal", kindsOf([]byte("1.5")), func() string { return fmt.Sprintf("%.2f", rng.Float64()*1e5) }},
		{"places", kindsOf([]byte("1.5")), func() string { return fmt.Sprintf("%.6f", rng.Float64()*100) }},
		{"thousandths", kindsOf([]byte("1.234")), func() string { return fmt.Sprintf("%.3f", 1+rng.Float64()*900) }},
		{"comma", kindsOf([]byte("1,5")), func() string { return strings.Replace(fmt.Sprintf("%.2f", rng.Float64()*1e5), ".", ",", 1) }},
		{"date", text0 | day | moment | dayYMD | timeYMD, func() string { return string(number.AppendDate(nil, 8000+rng.Int64N(2500))) }},
		{"time of day", text0 | clock, func() string { return string(number.AppendClock(nil, rng.Int64N(24*60)*number.Minute)) }},
		{"timestamp", text0 | moment | timeYMD, func() string { return string(number.AppendTimestamp(nil, rng.Int64N(500_000)*number.Hour)) }},
		{"mdy", text0 | dayMDY | timeMDY, func() string { return time.UnixMicro(rng.Int64N(20_000 * number.Day)).UTC().Format("01/02/2006") }},
		{"utc", text0 | utc, func() string { return time.UnixMicro(rng.Int64N(20_000 * number.Day)).UTC().Format(time.RFC3339) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			column := csv.Column{Cells: number.Cells{Bounds: []int32{-1}, Stride: 1}}
			const n = 1 << 12
			for range n {
				column.Data = append(append(column.Data, c.cell()...), ',')
				column.Bounds = append(column.Bounds, int32(len(column.Data)-1))
			}
			column.Data = append(column.Data, make([]byte, number.Behind)...)
			for b.Loop() {
				if skipPlain(c.k, &column, 0, n) != n {
					b.Fatal("not skipped")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/cell")
		})
	}
}
