package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"analyzer/columnar/vfs"
)

// messy are small files of the kinds that people complain about.
var messy = []struct{ name, text string }{
	{"byte order mark", "\ufeffid,x\n1,2\n"},
	{"byte order mark and quotes", "\ufeff\"id\",x\n1,2\n"},
	{"semicolons", "a;b\n1;2\n3;4\n"},
	{"tabs", "a\tb\n1\tx y\n"},
	{"bars", "a|b\n1|2\n"},
	{"decimal comma", "a;b\n1,5;x\n2,25;y\n"},
	{"commas in semicolons", "a;b\nx, y;1\nz, w;2\n"},
	{"quote in the middle", "a,b\n5\" pipe,1\n6\" pipe,2\n"},
	{"quote behind a quoted part", "a,b\n\"x\"y,1\n"},
	{"doubled quotes", "a,b\n\"say \"\"hi\"\"\",1\n"},
	{"delimiter in quotes", "a,b\n\"1,2\",3\n"},
	{"line end in quotes", "a,b\n\"x\ny\",1\n"},
	{"CRLF in quotes", "a,b\r\n\"x\r\ny\",1\r\n"},
	{"lone quote at the end", "a,b\n1,2\n3,\"\n"},
	{"short rows", "a,b,c\n1,2,3\n4,5\n6,7,8\n"},
	{"long rows", "a,b\n1,2\n3,4,5\n6,7\n"},
	{"delimiter at the end", "a,b,\n1,2,\n3,4,\n"},
	{"delimiter at the end of rows alone", "a,b\n1,2,\n3,4,\n"},
	{"CRLF", "a,b\r\n1,2\r\n3,4\r\n"},
	{"CR", "a,b\r1,2\r3,4\r"},
	{"mixed line ends", "a,b\r\n1,2\n3,4\r5,6\n"},
	{"no line end", "a,b\n1,2"},
	{"blank lines", "\n\na,b\n\n1,2\n\n\n3,4\n"},
	{"lines of spaces", "a,b\n1,2\n  \n3,4\n"},
	{"NUL bytes", "a,b\n1,x\x00y\n"},
	{"empty file", ""},
	{"only a line end", "\n"},
	{"header only", "a,b\n"},
	{"header without a line end", "a,b"},
	{"no header", "1,x\n2,y\n"},
	{"no header, texts alone", "x,y\nz,w\n"},
	{"header of numbers", "id,2020,2021\na,1,2\nb,3,4\n"},
	{"duplicated names", "a,a,A\n1,2,3\n"},
	{"empty names", "a,,\n1,2,3\n"},
	{"spaces around names", " a , b \n1,2\n"},
	{"names in quotes", "\"a b\",\"c,d\"\n1,2\n"},
	{"very long line", "a,b\n" + strings.Repeat("x", 300_000) + ",1\ny,2\n"},
	{"thousands separators", "a,b\n\"1,000\",x\n\"2,500\",y\n"},
	{"dates by points", "d,x\n31.12.2020,1\n01.02.2021,2\n"},
	{"dates by slashes", "d,x\n12/31/2020,1\n"},
	{"dates and times", "d,x\n2020-12-31 10:20:30,1\n"},
	{"a date that there is not", "d\n2020-02-28\n2021-02-29\n"},
	{"dates and words", "d,x\n2020-01-01,1\nunknown,2\n"},
	{"leading zeros", "id,x\n007,1\n12,2\n"},
	{"postal codes", "zip,n\n01234,1\n98765,2\n"},
	{"telephone numbers", "tel\n+49301234\n+1555123\n"},
	{"plus signs", "a\n+1\n+2\n"},
	{"minus and spaces", "a,b\n- 1,x\n-2,y\n"},
	{"infinities and nan", "a,b\n1.5,x\ninf,y\n-inf,z\nnan,w\n"},
	{"beyond a double", "a\n1e400\n1\n"},
	{"beyond 64 bits", "a\n9223372036854775807\n9223372036854775808\n"},
	{"least integer", "a\n-9223372036854775808\n"},
	{"many digits", "a\n0.1234567890123456789\n1\n"},
	{"exponents", "a\n1e3\n2.5E-2\n"},
	{"percent and currency", "a,b\n5%,$1\n6%,$2\n"},
	{"true and false", "a\ntrue\nFalse\n"},
	{"yes and no", "a\nyes\nno\n"},
	{"zero and one", "a\n0\n1\n"},
	{"NA", "a,b\n1,x\nNA,y\n"},
	{"NULL", "a,b\n1,x\nNULL,y\n"},
	{"dashes for nulls", "a,b\n1,x\n-,y\n"},
	{"backslash N", "a,b\n1,x\n\\N,y\n"},
	{"backslash before a quote", "a,b\n\"x\\\"y\",1\n"},
	{"nulls and empty texts", "a,b\n,1\n\"\",2\n"},
	{"a column without values", "a,b\n,1\n,2\n"},
	{"Latin-1", "name,n\ncaf\xe9,1\n"},
	{"UTF-16", "\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00"},
	{"UTF-8 beyond the plane", "a,b\n😀,1\n"},
	{"space that does not break", "a,b\n1\u00a0000,x\n"},
	{"repeated header", "a,b\n1,2\na,b\n3,4\n"},
	{"comment lines", "# made by a tool\na,b\n1,2\n3,4\n"},
	{"preamble", "Report of sales\n\na,b,c\n1,2,3\n4,5,6\n7,8,9\n"},
	{"footer", "a,b\n1,2\n3,4\nTotal: 2 rows\n"},
	{"one column", "a\n1\n2\n"},
	{"one column of texts with commas in quotes", "a\n\"x, y\"\n\"z, w\"\n"},
	{"space as delimiter", "a b\n1 2\n3 4\n"},
	{"zip archive", "PK\x03\x04rest"},
	{"JSON", "{\"a\": 1}\n{\"a\": 2}\n"},
}

// TestMessy holds what is made of messy files: types, rows and rejects, or why they are
// refused. go test ./cmd/analyzer -run Messy -update accepts what is new.
func TestMessy(t *testing.T) {
	var b strings.Builder
	dir := t.TempDir()
	for _, m := range messy {
		file := filepath.Join(dir, "messy.csv")
		if err := os.WriteFile(file, []byte(m.text), 0o600); err != nil {
			t.Fatal(err)
		}
		text := m.text
		if len(text) > 200 {
			text = text[:20] + "…"
		}
		fmt.Fprintf(&b, "## %s\n%q\n", m.name, text)
		for _, statement := range []string{"DESCRIBE '" + file + "'", "FROM '" + file + "'"} {
			var out, notes bytes.Buffer
			p := &program{stdin: strings.NewReader(""), stdout: &out, stderr: &notes, fs: vfs.OS(), began: time.Now()}
			err := p.runLine(t.Context(), []string{"analyzer", "sql", "--format", "jsonl", statement})
			if err != nil {
				fmt.Fprintf(&b, "refused: %s\n", strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), ""))
				break
			}
			said, _, _ := strings.Cut(out.String(), "\"columns\": ")
			rest := strings.TrimPrefix(out.String(), said)
			if len(rest) > 2000 {
				rest = rest[:100] + "…\n"
			}
			b.WriteString(rest)
			for line := range strings.Lines(notes.String()) {
				if strings.Contains(line, "rejected") || strings.Contains(line, "noted") || strings.Contains(line, "messy.csv:") && strings.HasPrefix(line, " ") {
					b.WriteString("  " + strings.ReplaceAll(strings.TrimSpace(line), dir+string(filepath.Separator), "") + "\n")
				}
			}
		}
	}
	golden := filepath.Join("testdata", "messy.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	got, known := strings.Split(b.String(), "## "), strings.Split(string(want), "## ")
	for i, part := range got {
		if i >= len(known) || part != known[i] {
			t.Errorf("%s\n%s", part, known[min(i, len(known)-1)])
		}
	}
	if len(got) != len(known) {
		t.Errorf("%d kinds, %d are known", len(got)-1, len(known)-1)
	}
}
