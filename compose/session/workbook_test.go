package session_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

// workbookOf returns a workbook with a sheet of sales, which stands below a title, and one of notes.
func workbookOf(t *testing.T, rows int) string {
	t.Helper()
	var sales strings.Builder
	sales.WriteString(`<worksheet><sheetData><row r="1"><c r="B1" t="inlineStr"><is><t>Sales of the year</t></is></c></row>` +
		`<row r="3"><c r="B3" t="s"><v>0</v></c><c r="C3" t="s"><v>1</v></c><c r="D3" t="s"><v>2</v></c><c r="E3" t="s"><v>3</v></c></row>`)
	for i := range rows {
		fmt.Fprintf(&sales, `<row r="%d"><c r="B%[1]d"><v>%[2]d</v></c><c r="C%[1]d" s="1"><v>%[3]d</v></c><c r="D%[1]d"><f>B%[1]d/4</f><v>%[4]v</v></c>`, i+4, i, 45292+i, float64(i)/4)
		if i%2 == 0 {
			fmt.Fprintf(&sales, `<c r="E%d" t="s"><v>4</v></c>`, i+4)
		}
		sales.WriteString("</row>")
	}
	sales.WriteString("</sheetData></worksheet>")
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, text := range map[string]string{
		"xl/workbook.xml": `<workbook><sheets><sheet name="Sales" r:id="a"/><sheet name="Notes" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="a" Type="x/worksheet" Target="a.xml"/><Relationship Id="b" Type="x/worksheet" Target="b.xml"/>` +
			`<Relationship Id="c" Type="x/styles" Target="styles.xml"/><Relationship Id="d" Type="x/sharedStrings" Target="texts.xml"/></Relationships>`,
		"xl/styles.xml": `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
		"xl/texts.xml":  `<sst><si><t>id</t></si><si><t>day</t></si><si><t>price</t></si><si><t>text</t></si><si><t>a, "b"</t></si></sst>`,
		"xl/a.xml":      sales.String(),
		"xl/b.xml":      `<worksheet><sheetData><row><c t="str"><v>note</v></c></row><row><c t="str"><v>007</v></c></row></sheetData></worksheet>`,
	} {
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
	return out.String()
}

func TestWorkbook(t *testing.T) {
	rows := 15_000
	if testing.Short() {
		rows = 4_000
	}
	fs := memory("/t.xlsx", workbookOf(t, rows))
	sums := fmt.Sprintf("n,s,p,d,t\n%d,%d,%d,%s,%d\n", rows, rows*(rows-1)/2, rows*(rows-1)/8, time.Date(2024, 1, rows, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), rows/2)
	if err := vfs.Replace(fs, "/u.csv", []byte("a\n1\n")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"FROM '/t.xlsx' LIMIT 2": "id,day,price,text\n0,2024-01-01,0,\"a, \"\"b\"\"\"\n1,2024-01-02,0.25,\n",
		"SELECT count(*) AS n, sum(id) AS s, sum(price) AS p, max(day) AS d, count(text) AS t FROM '/t.xlsx'": sums,
		"SELECT id FROM read_xlsx('/t.xlsx') WHERE day = DATE '2024-12-31'":                                   "id\n365\n",
		"FROM read_xlsx('/t.xlsx', sheet = 'notes')":                                                          "note\n007\n",
		"FROM read_xlsx('/t.xlsx', sheet = 'Notes', header = false)":                                          "column0\nnote\n007\n",
		"SELECT typeof(id) AS i, typeof(price) AS p, typeof(day) AS d FROM '/t.xlsx' LIMIT 1":                 "i,p,d\nBIGINT,DECIMAL,DATE\n",
		"FROM read_xlsx('/t.xlsx', sheet = 'none')":                                                           "error: " + `the workbook has no sheet "none"; it has "Sales", "Notes" (name one of these)`,
		"FROM read_csv('/u.csv', sheet = 'none')":                                                             "error: no Excel workbook",
		"FROM read_xlsx('/t.xlsx', delim = ';')":                                                              `error: read_xlsx has no option "delim"`,
	} {
		for i, o := range []session.Config{{Memory: 16 << 20, Replicas: 3}, {Memory: 256 << 20, Replicas: 1}} {
			if testing.Short() && i > 0 {
				break
			}
			o.FS, o.Own, o.SpillDir, o.MaxRejects = fs, fs, "/spill", -1
			got, err := answer(t, session.New(o), text)
			if message, wrong := strings.CutPrefix(want, "error: "); wrong {
				if err == nil || !strings.Contains(err.Error(), message) {
					t.Errorf("%s: %v", text, err)
				}
			} else if err != nil || got != want {
				t.Errorf("%s is %.300q, want %q; error %v", text, got, want, err)
			}
		}
	}
}
