package number

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
)

// allForms returns every form, with one currency of two.
func allForms() (all []Form) {
	for m := Point; int(m) < len(allMarks); m++ {
		all = append(all, Form{Marks: m}, Form{Marks: m, Percent: true}, Form{Marks: m, Currency: "CHF"}, Form{Marks: m, Currency: "€"})
	}
	return all
}

// write writes a number, given in the form of programs, as a person does.
func (f Form) write(rng *rand.Rand, plain string) string {
	negative := strings.HasPrefix(plain, "-")
	whole, fraction, point := strings.Cut(strings.TrimPrefix(plain, "-"), ".")
	mark := string(f.Marks.Thousands())
	if m := f.Marks.Thousands(); m == ' ' {
		mark = []string{" ", "\u00a0", "\u202f", "\u2009"}[rng.IntN(4)]
	} else if m == '\'' {
		mark = []string{"'", "’"}[rng.IntN(2)]
	}
	if f.Marks.Thousands() != 0 && rng.IntN(4) > 0 {
		size := 3
		for at := len(whole) - size; at > 0; at -= size {
			whole = whole[:at] + mark + whole[at:]
			if f.Marks == PointIndian {
				size = 2
			}
		}
	}
	if point {
		whole += string(f.Marks.Decimal()) + fraction
	}
	switch {
	case f.Percent:
		whole += []string{"%", " %", "\u00a0%"}[rng.IntN(3)]
	case f.Currency == "":
	case rng.IntN(2) == 0:
		whole = f.Currency + []string{"", " "}[rng.IntN(2)] + whole
	default:
		whole += []string{"", " "}[rng.IntN(2)] + f.Currency
	}
	if negative {
		before := []string{"-", "(", "", "−"}[rng.IntN(4)]
		whole = before + whole + map[string]string{"(": ")", "": "-"}[before]
	}
	return whole
}

// TestForms writes numbers as people do, and reads them again: one by one and by columns.
func TestForms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range allForms() {
		if again, err := FormOf(f.String()); err != nil || again != f {
			t.Errorf("%+v is written %q, which is %+v (%v)", f, f.String(), again, err)
		}
		var cells []string
		var ints, decimals []int64
		var floats []float64
		for range 3000 {
			plain := strconv.FormatInt(rng.Int64N(pow10[1+rng.IntN(8)]), 10)
			if rng.IntN(3) == 0 {
				plain = "-" + plain
			}
			if rng.IntN(2) == 0 {
				plain += "." + strconv.FormatInt(rng.Int64N(1000), 10)
			}
			text := f.write(rng, plain)
			n, ok := Written([]byte(text))
			if !ok || !n.Marks.Has(f.Marks) {
				t.Fatalf("%q is not of the form %q: %+v", text, f, n)
			}
			if f.Percent {
				plain += "e-2"
			}
			decimal, _ := ParseDecimal([]byte(plain))
			float, _ := ParseFloat([]byte(plain))
			whole, isWhole := ParseInt([]byte(plain))
			gotDecimal, _ := f.ParseDecimal([]byte(text))
			gotFloat, _ := f.ParseFloat([]byte(text))
			gotInt, gotWhole := f.ParseInt([]byte(text))
			if gotDecimal != decimal || gotFloat != float || gotInt != whole || gotWhole != isWhole {
				t.Fatalf("%q in the form %q is %d, %v, %d; %q is %d, %v, %d", text, f, gotDecimal, gotFloat, gotInt, plain, decimal, float, whole)
			}
			cells, ints, decimals, floats = append(cells, text), append(ints, whole), append(decimals, decimal), append(floats, float)
			if !isWhole {
				ints[len(ints)-1] = 0
			}
		}
		column := columnOf(cells)
		out, outFloats := make([]int64, len(cells)), make([]float64, len(cells))
		if n := column.ParseWrittenDecimals(f, out, 0); n != len(cells) {
			t.Errorf("%q: decimal %d, %q, is not read", f, n, cells[n])
		}
		equal(t, cells, out, decimals)
		if n := column.ParseWrittenFloats(f, outFloats, 0); n != len(cells) {
			t.Errorf("%q: float %d, %q, is not read", f, n, cells[n])
		}
		equal(t, cells, outFloats, floats)
		clear(out)
		for at := 0; at < len(cells); at++ {
			at += column.ParseWrittenInts(f, out[at:], at)
		}
		for i := range out {
			if _, whole := f.ParseInt([]byte(cells[i])); !whole {
				out[i] = 0
			}
		}
		equal(t, cells, out, ints)
	}
}

func equal[T comparable](t *testing.T, cells []string, got, want []T) {
	t.Helper()
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%q is %v, want %v", cells[i], got[i], want[i])
		}
	}
}

func columnOf(cells []string) *Cells {
	c := &Cells{Bounds: []int32{-1}, Stride: 1}
	for _, cell := range cells {
		c.Data = append(append(c.Data, cell...), ';')
		c.Bounds = append(c.Bounds, int32(len(c.Data)-1))
	}
	c.Data = append(c.Data, make([]byte, Behind)...)
	return c
}

// TestWritten says in which forms texts are numbers.
func TestWritten(t *testing.T) {
	for text, want := range map[string]string{
		"1,5":             "1234,5|1.234,5|1 234,5|1'234,5",
		"1.5":             "1234.5|1,234.5|1 234.5|1'234.5|12,34,567.5",
		"1,234":           "1,234.5|12,34,567.5|1234,5|1.234,5|1 234,5|1'234,5",
		"$1,234":          "1,234.5|12,34,567.5",
		"7.080e-002":      "1234.5|1,234.5|1 234.5|1'234.5|12,34,567.5",
		"7,080e-002":      "1234,5|1.234,5|1 234,5|1'234,5",
		"1.234.567":       "1.234,5",
		"12,34,567":       "12,34,567.5",
		"12,34,567.8":     "12,34,567.5",
		"1 234":           "1 234.5|1 234,5",
		"1\u202f234,50 €": "1 234,5",
		"0,123":           "1234,5|1.234,5|1 234,5|1'234,5",
		"1'234.50":        "1'234.5",
		"(12.50)":         "1234.5|1,234.5|1 234.5|1'234.5|12,34,567.5",
		"CHF 12.-":        "1234.5|1,234.5|1 234.5|1'234.5|12,34,567.5|1234,5|1.234,5|1 234,5|1'234,5",

		"": "", "€": "", "%": "", "-": "", "()": "", "(5": "", "5)": "", "--5": "", "- 5": "", "-(5)": "", "-5-": "",
		"007": "", "0,0,0": "", "00,5": "", "01.234": "", "1,23,4": "", "1,2,3": "", "1.2.3": "", "1,234.567,8": "",
		"1 23": "", "1  234": "", "12 345 67": "", "1,": "", ",": "", "1..5": "", "1.5.5": "", "5 € $": "", "5 % €": "", "5 kg": "",
		"192.168.100.200": "", "0.123.456": "", "1e5e5": "", "e5": "", "5e": "", "+5": "", "1_000": "", "NaN": "", "٣": "",
		strings.Repeat("9", 65): "",
	} {
		n, ok := Written([]byte(text))
		var forms []string
		for m := Point; ok && int(m) < len(allMarks); m++ {
			if n.Marks.Has(m) {
				forms = append(forms, allMarks[m].example)
			}
		}
		if got := strings.Join(forms, "|"); got != want {
			t.Errorf("%q has the forms %q, want %q", text, got, want)
		}
	}
}

func TestNamedDates(t *testing.T) {
	for text, want := range map[string]string{
		"1 Jan 2020": "2020-01-01", "01-JAN-2020": "2020-01-01", "15/Mar/2021": "2021-03-15", "Jan 5, 2020": "2020-01-05", "January 5th, 2020": "2020-01-05",
		"24 decembre 2024": "2024-12-24", "3 aout 2024": "2024-08-03", "1 fevrier 2024": "2024-02-01", "2 fevr. 2024": "2024-02-02", "5. Jaenner 2024": "2024-01-05",
		"1. Januar 2024": "2024-01-01", "31. März 2024": "2024-03-31", "31. MÄRZ 2024": "2024-03-31", "3. Okt. 2024": "2024-10-03", "24. Dezember 2024": "2024-12-24",
		"1 de enero de 2024": "2024-01-01", "12 de octubre del 2024": "2024-10-12", "1er janvier 2024": "2024-01-01", "14 juillet 2024": "2024-07-14",
		"25 déc. 2024": "2024-12-25", "25 DÉCEMBRE 2024": "2024-12-25", "1 août 2024": "2024-08-01", "7 de setembro de 2024": "2024-09-07", "2 mars 2024": "2024-03-02",
		"2024-Jan-05": "2024-01-05", "2024 Feb 29": "2024-02-29", "01JAN2020": "2020-01-01", "15-Jan-70": "1970-01-15", "15-Jan-39": "2039-01-15",
		"Fri Jan 31 2020": "2020-01-31", "Friday, January 31, 2020": "2020-01-31", "Fr., 31. Jan. 2020": "2020-01-31", "MAR 1 ENE 2019": "2019-01-01", "mar. 1 janv. 2019": "2019-01-01", "Mar 1 2000": "2000-03-01", "Mar 7, 2000": "2000-03-07",
		"2020年1月31日": "2020-01-31", "2020年 12月 31日": "2020-12-31", "2020년 1월 31일": "2020-01-31",

		"Thu Jan 31 2020": "", "Fri": "", "Fri ": "", "Fri Jan": "", "Fri Fri Jan 31 2020": "", "2020年1月": "", "2020年13月1日": "", "2020年1月31日x": "", "20年1月31日": "",
		"31 Feb 2024": "", "Jan 2024": "", "Jan": "", "1 Foo 2024": "", "1 Jan 202": "", "1 Jan 20245": "", "1 Jan Feb": "", "1 2 2024": "", "": "", "Januarius 5, 2024": "", "1 Jan 2024 x": "",
	} {
		got := ""
		if days, ok := ParseNamedDate([]byte(text)); ok {
			got = string(AppendDate(nil, days))
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if micros, ok := ParseNamedTime([]byte("Jan 5, 2020 3:04 PM")); !ok || string(AppendTimestamp(nil, micros)) != "2020-01-05 15:04:00" {
		t.Error(micros, ok)
	}
	for text, want := range map[string]string{
		"28/Jun/2024:10:12:13 +0200": "2024-06-28 08:12:13", "Fri, 28 Jun 2024 10:12:13 GMT": "2024-06-28 10:12:13", "Fri Jun 28 10:12:13 -0100 2024": "2024-06-28 11:12:13",
		"29-NOV-24 10.12.13.123456 PM +01:00": "2024-11-29 21:12:13.123456", "29-NOV-24 12.30.00.500000 AM +00:00": "2024-11-29 00:30:00.5",
		"28 June 2024 at noon +0000": "", "28 September 2024 -05": "", "Thu, 28 Jun 2024 10:12:13 GMT": "", "Fri Jun 28 10:12:13 PDT 2024": "",
	} {
		if micros, ok := ParseUTC([]byte(text)); ok != (want != "") || ok && string(AppendTimestamp(nil, micros)) != want {
			t.Errorf("%q is %d (%v), want %q", text, micros, ok, want)
		}
	}
	if micros, ok := ParseNamedTime([]byte("Sat Jun  1 10:12:13 2024")); !ok || string(AppendTimestamp(nil, micros)) != "2024-06-01 10:12:13" {
		t.Error(micros, ok)
	}
	for text, want := range map[string]string{"31.12.99": "1999-12-31", "1.2.24": "2024-02-01", "1.2.68": "2068-02-01", "31.12.1999": "", "31.12.9": ""} {
		got := ""
		if days, ok := DayFirst.ParseShort([]byte(text)); ok {
			got = string(AppendDate(nil, days))
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// FuzzWritten reads any text in any form, alone and in a column.
func FuzzWritten(f *testing.F) {
	for _, text := range []string{"1.234,50 €", "(1,234.5)", "5 %", "1’234", "1,5e3", "-", "\xe2\x80"} {
		f.Add(text)
	}
	forms := allForms()
	f.Fuzz(func(t *testing.T, text string) {
		for _, form := range forms {
			one, ok := form.ParseDecimal([]byte(text))
			column, out := columnOf([]string{"1", text, "2"}), make([]int64, 3)
			n := column.ParseWrittenDecimals(form, out[:2], 0)
			if form.Percent {
				n = column.ParseWrittenDecimals(form, out[1:2], 1) + 1
			}
			if (n == 2) != ok && len(text) < plainBytes-4 || n == 2 && (!ok || out[1] != one) {
				t.Errorf("%q in the form %q is %d (%v), and in a column %d (%v)", text, form, one, ok, out[1], n == 2)
			}
		}
	})
}

func BenchmarkParseWritten(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, f := range []Form{{Marks: Comma}, {Marks: CommaPoint}, {Marks: PointComma}, {Marks: CommaSpace, Currency: "€"}, {Marks: Point, Percent: true}} {
		b.Run(fmt.Sprint(f), func(b *testing.B) {
			cells := make([]string, 1<<12)
			for i := range cells {
				cells[i] = f.write(rng, strconv.FormatFloat(float64(rng.Int64N(10_000_000))/100, 'f', 2, 64))
			}
			column, out := columnOf(cells), make([]int64, len(cells))
			b.ReportAllocs()
			for b.Loop() {
				if column.ParseWrittenDecimals(f, out, 0) != len(out) {
					b.Fatal("not read")
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(out)), "ns/cell")
		})
	}
}
