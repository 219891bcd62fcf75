package workbook

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
)

// parts are the parts of a workbook that has two sheets, a hidden one before them, and a chart.
func parts() map[string]string {
	const head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	return map[string]string{
		"xl/workbook.xml": head + `<workbook xmlns:r="x"><workbookPr/><sheets><sheet name="Chart" sheetId="9" r:id="rId9"/>` +
			`<sheet name="Old" sheetId="1" state="hidden" r:id="rId1"/><sheet name="A &amp; B's" sheetId="2" r:id="rId2"/><sheet name='More' sheetId="3" r:id="rId3"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": head + `<Relationships><Relationship Id="rId9" Type="http://x/chartsheet" Target="chartsheets/sheet1.xml"/>` +
			`<Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="http://x/worksheet" Target="/xl/worksheets/sheet2.xml"/>` +
			`<Relationship Id="rId3" Type="http://x/worksheet" Target="worksheets/sheet3.xml"/><Relationship Id="s" Type="http://x/styles" Target="styles.xml"/>` +
			`<Relationship Id="t" Type="http://x/sharedStrings" Target="sharedStrings.xml"/></Relationships>`,
		"xl/styles.xml": head + `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/><numFmt numFmtId="165" formatCode="&quot;days &quot;0.00"/>` +
			`<numFmt numFmtId="166" formatCode="[$-409]mmm\ yy;@"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>` +
			`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="166"/><xf numFmtId="20"/><xf numFmtId="46"/></cellXfs></styleSheet>`,
		"xl/sharedStrings.xml": head + `<sst><si><t>name</t></si><si><r><t xml:space="preserve">rich </t></r><r><rPr/><t>"text"</t></r><rPh sb="0"><t>phonetic</t></rPh></si>` +
			`<si><t>two_x000D_` + "\n" + `lines</t></si><si><t/></si><si><t><![CDATA[a<b>&amp;]]> &lt;&#x263A;</t></si></sst>`,
		"xl/worksheets/sheet1.xml": head + `<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet2.xml": head + `<x:worksheet><x:dimension ref="A1"/><x:cols/><!-- don't > <row> --><x:sheetData>` +
			`<x:row r="2"><x:c r="B2" t="s"><x:v>0</x:v></x:c><x:c r="C2" t="inlineStr"><x:is><x:t>day</x:t></x:is></x:c><x:c r="D2" s="3"/><x:c r="E2" t="str"><x:f>A1&amp;"x"</x:f><x:v>value</x:v></x:c></x:row>` +
			`<x:row r="3" spans="2:5"><x:c r="B3" t="s"><x:v>1</x:v></x:c><x:c r="C3" s="1"><x:v>45352</x:v></x:c><x:c r="D3"><x:v>0.1</x:v></x:c><x:c r="E3" t="b"><x:v>1</x:v></x:c></x:row>` +
			`<x:row r="4"/><x:row r="5"><x:c r="B5" s="1"/></x:row>` +
			`<x:row r="6"><x:c r="B6" t="s"><x:v>2</x:v></x:c><x:c r="C6" s="2"><x:v>45352.75</x:v></x:c><x:c r="E6" t="e"><x:v>#DIV/0!</x:v></x:c></x:row>` +
			`<x:row><x:c t="s"><x:v>4</x:v></x:c><x:c s="3"><x:v>12.5</x:v></x:c><x:c><x:v>1.0000000000000001E-5</x:v></x:c></x:row>` +
			`</x:sheetData><x:mergeCells><x:mergeCell ref="B2:C2"/></x:mergeCells></x:worksheet>`,
		"xl/worksheets/sheet3.xml": head + `<worksheet><sheetData>` +
			`<row><c s="4"><v>61</v></c><c s="1"><v>59</v></c><c s="1"><v>60</v></c><c s="5"><v>0.5</v></c><c s="6"><v>1.5</v></c><c s="1"><v>-1</v></c><c><f>SUM(A1,"é")</f></c><c t="d"><v>2024-01-02T03:04:05</v></c></row>` +
			`<row r="1048576"><c r="H1048576"><v>123456789012345678</v></c></row></sheetData></worksheet>`,
	}
}

func archive(t testing.TB, parts map[string]string) *zip.Reader {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range parts {
		f, err := w.Create(name)
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func read(z *zip.Reader, sheet string) (text string, notes []string, err error) {
	r, err := Open(z, sheet)
	if err != nil {
		return "", nil, err
	}
	all, err := io.ReadAll(r)
	return string(all), r.Notes(), errors.Join(err, r.Close())
}

func TestSheets(t *testing.T) {
	// The first sheet with cells that is not hidden begins in the second row and the second column.
	first := "\n\"name\",\"day\",,\"value\"\n" +
		"\"rich \"\"text\"\"\",2024-03-01,0.1,true\n\n\n\"two\r\nlines\",2024-03-01 18:00:00,,\"#DIV/0!\"\n"
	third := "1900-03-01,1900-02-28,60,12:00:00,36:00:00,-1,\"=SUM(A1,\"\"é\"\")\",\"2024-01-02 03:04:05\"\n" +
		strings.Repeat("\n", 1<<20-2) + ",,,,,,,123456789012345680\n"
	all := parts()
	// The last row of the sheet has no places: its cells begin in the first column.
	all["xl/worksheets/sheet2.xml"] = strings.Replace(all["xl/worksheets/sheet2.xml"], "<x:row><x:c t", `<x:row><x:c r="B7" t`, 1)
	first += "\"a<b>&amp; <☺\",12.5,0.00001,\n"
	z := archive(t, all)
	for sheet, want := range map[string]string{"": first, "a & b's": first, "More": third, "old": "1\n"} {
		got, notes, err := read(z, sheet)
		if err != nil || got != want {
			t.Errorf("%q: %.400q, not %.400q, error %v", sheet, got, want, err)
		}
		if note := `the sheet "A & B's" is read, and not "Old", "More": read_xlsx(…, sheet = 'Old') reads that one`; sheet == "" && fmt.Sprint(notes) != "["+note+"]" || sheet != "" && notes != nil {
			t.Errorf("%q: notes %q", sheet, notes)
		}
	}
	if _, _, err := read(z, "none"); err == nil || !strings.Contains(err.Error(), `no sheet "none"; it has "Old", "A & B's", "More"`) {
		t.Error(err)
	}
}

func TestDays(t *testing.T) {
	for code, want := range map[string]cellFormat{
		"General": asNumber, "0.00": asNumber, `#,##0.00 "days"`: asNumber, "0.00E+00": asNumber, "@": asNumber, "0%": asNumber, `[Red]#,##0\d`: asNumber,
		"dd/mm/yyyy": asDate, "mmm-yy": asDate, `[$-F800]dddd\,\ mmmm\ dd\,\ yyyy`: asDate, `yyyy"年"m"月"d"日"`: asDate, "mmmm": asDate, `ggge"年"m"月"d"日"`: asDate,
		"hh:mm": asTime, "mm:ss.0": asTime, "h:mm AM/PM": asTime, "[h]:mm:ss": asElapsed, "[mm]:ss": asElapsed, "dd.mm.yyyy hh:mm": asMoment, `m/d/yy h:mm;@`: asMoment,
	} {
		if got := formatOf(code); got != want {
			t.Errorf("%s: %d, not %d", code, got, want)
		}
	}
	for _, c := range []struct {
		days float64
		as   cellFormat
		from int
		want string
	}{
		{1, asDate, 1900, "1900-01-01"},
		{59, asDate, 1900, "1900-02-28"},
		{60, asDate, 1900, ""},
		{61, asDate, 1900, "1900-03-01"},
		{0, asDate, 1904, "1904-01-01"},
		{45351, asDate, 1900, "2024-02-29"},
		{43889, asDate, 1904, "2024-02-29"},
		{45351, asMoment, 1900, "2024-02-29 00:00:00"},
		{45351.5, asDate, 1900, "2024-02-29 12:00:00"},
		{2958465, asDate, 1900, "9999-12-31"},
		{2958466, asDate, 1900, ""},
		{-0.5, asTime, 1900, ""},
		{0.999988425925926, asTime, 1900, "23:59:59"},
		{44197.000011574, asMoment, 1900, "2021-01-01 00:00:01"},
		{1.25, asElapsed, 1900, "30:00:00"},
		{45351.0000115741, asTime, 1900, "2024-02-29 00:00:01"},
	} {
		if got, ok := appendSerial(nil, c.days, c.as, c.from); string(got) != c.want || ok != (c.want != "") {
			t.Errorf("%v as %d from %d: %q, not %q", c.days, c.as, c.from, got, c.want)
		}
	}
}

// TestHostile reads workbooks that are made to cost much, or are damaged.
func TestHostile(t *testing.T) {
	for name, c := range map[string]struct{ part, text, want string }{
		"many texts":     {"xl/sharedStrings.xml", "<sst>" + strings.Repeat("<si><t>"+strings.Repeat("x", 60<<10)+"</t></si>", 1200), "take more than 64 MiB"},
		"long text":      {"xl/sharedStrings.xml", "<sst><si><t>" + strings.Repeat("x", 2<<20), "more than 1048576 bytes"},
		"long tag":       {"xl/sharedStrings.xml", "<sst><si a='" + strings.Repeat(">", 2<<20), "more than 1048576 bytes"},
		"entities":       {"xl/sharedStrings.xml", `<!DOCTYPE x [<!ENTITY a "b">]><sst/>`, "document type"},
		"rows back":      {"xl/worksheets/sheet2.xml", `<sheetData><row r="2"><c><v>1</v></c></row><row r="1"><c><v>1</v></c></row>`, "not in order"},
		"cells back":     {"xl/worksheets/sheet2.xml", `<sheetData><row r="2"><c r="B2"><v>1</v></c><c r="A2"><v>1</v></c></row>`, "not in order"},
		"far column":     {"xl/worksheets/sheet2.xml", `<sheetData><row r="2"><c r="ZZZZZZZZZZZZZZZZZZZ2"><v>1</v></c></row>`, "not in order"},
		"cut":            {"xl/worksheets/sheet2.xml", `<sheetData><row r="2"><c r="B2"><v>1</v>`, "unexpected EOF"},
		"cut tag":        {"xl/worksheets/sheet2.xml", `<sheetData><row r="2"`, "unexpected EOF"},
		"text elsewhere": {"xl/worksheets/sheet2.xml", `<sheetData><row><c t="s"><v>99</v></c></row></sheetData>`, "text 99 of 5"},
	} {
		all := parts()
		all[c.part] = c.text
		if _, _, err := read(archive(t, all), ""); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		all := parts()
		for name, text := range all {
			b := []byte(text)
			for range rng.IntN(3) {
				b[rng.IntN(len(b))] = `<>/"= x&;0123`[rng.IntN(13)]
			}
			all[name] = string(b[:len(b)-rng.IntN(len(b))/4*rng.IntN(2)])
		}
		_, _, _ = read(archive(t, all), "") // and never panics
	}
}

func BenchmarkSheet(b *testing.B) {
	var text strings.Builder
	text.WriteString("<worksheet><sheetData>")
	for i := range 50_000 {
		fmt.Fprintf(&text, `<row r="%d" spans="1:6">`, i+1)
		for c := range 6 {
			fmt.Fprintf(&text, `<c r="%c%d" s="%d"><v>%d</v></c>`, 'A'+c, i+1, c%2, 40000+i%1000)
		}
		text.WriteString("</row>")
	}
	text.WriteString("</sheetData></worksheet>")
	all := parts()
	all["xl/worksheets/sheet2.xml"] = text.String()
	z := archive(b, all)
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, _, err := read(z, ""); err != nil {
			b.Fatal(err)
		}
	}
}
