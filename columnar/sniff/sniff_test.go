package sniff_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/csv"
	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
)

// opener returns what opens files of these contents.
func opener(t *testing.T, contents ...string) func(i int) (vfs.File, error) {
	t.Helper()
	fs := vfs.NewMem()
	for i, text := range contents {
		f, err := fs.Create(fmt.Sprint(i))
		if err == nil {
			_, err = io.WriteString(f, text)
		}
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
	}
	return func(i int) (vfs.File, error) { return fs.Open(fmt.Sprint(i)) }
}

// A header may be one name 100,000 times: its columns get names of their own, and not by trying
// all numbers for each.
func TestOneNameForAllColumns(t *testing.T) {
	const n = 100_000
	f, err := sniffed(t, strings.Repeat("a,", n-1)+"a\n"+strings.Repeat("1,", n-1)+"1\n"+strings.Repeat("1,", n-1)+"1\n")
	if err != nil || len(f.Columns) != n {
		t.Fatalf("%d columns: %v", len(f.Columns), err)
	}
	if first, last := f.Columns[0].Name, f.Columns[n-1].Name; first != "a" || last != "a_99999" {
		t.Errorf("the columns are %s to %s", first, last)
	}
}

func sniffed(t *testing.T, contents ...string) (*sniff.File, error) {
	t.Helper()
	open := opener(t, contents...)
	var files []*sniff.File
	for i := range contents {
		f, err := sniff.Look(context.Background(), func() (vfs.File, error) { return open(i) }, sniff.Given{})
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	sniff.Guess(files)
	all := make([]int, len(files[0].Columns))
	for i := range all {
		all[i] = i
	}
	return files[0], sniff.Settle(context.Background(), files, all, open)
}

// shape writes a file as its delimiter, "headless" if it is, and its columns.
func shape(f *sniff.File) string {
	parts := []string{f.Delimiter}
	if f.Widths != nil {
		parts[0] += fmt.Sprint(f.Widths)
	}
	if f.Headless {
		parts = append(parts, "headless")
	}
	for _, c := range f.Columns {
		part := c.Name + ":" + c.Format.String()
		if form := c.Form.String(); form != "" {
			part += "[" + form + "]"
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " ")
}

func TestSniff(t *testing.T) {
	many := func(row string, n int) string { return strings.Repeat(row, n) }
	for name, tt := range map[string]struct{ text, want string }{
		"types":                      {"a,b,c,d,e,f\n1,1.5,1e3,2020-01-31,true,x\n-2,2,-1.5E-7,1999-12-01,FALSE,y\n", ", a:int b:decimal c:float d:day e:bool f:optional"},
		"timestamps":                 {"a,b,c,d\n2020-01-31 10:00:00,2020-01-31,2020-01-31T10:00,2020-01-31 10:00:00.5\n2020-02-29T23:59:59.999999,2020-02-29 10:00:00,2020-02-29T10:00,2020-02-29\n", ", a:timestamp b:timestamp c:timestamp d:timestamp"},
		"day or month":               {"a,b,c,d\n1/2/2020,1/2/2020,1/2/2020,1/2/2020\n3/4/2020,13/1/2020,1/13/2020 3:04 PM,31/31/2020\n", ", a:optional b:dmy c:mdytime d:optional"},
		"both orders":                {"a,b\n1/13/2020,2020-01-05\n13/1/2020,2020/1/5\n", ", a:optional b:ymd"},
		"order at last":              {"a,b,c\n" + many("1.2.2020,1.13.2020,2020-01-01T10:00:00Z\n", 100_000) + "13.1.2020,13.1.2020,2020-01-01 10:00:00\n", ", a:dmy b:optional c:optional"},
		"headless dates":             {"x,1/2/2020\ny,3/4/2020\n", ", headless column0:optional column1:optional"},
		"no dates":                   {"a,b,c,d\n1/2/20,2020-1,1.2.3,13/1/2020\n13/1/20,2020-2,1.13.2,13/1.2020\n", ", a:dmy2 b:optional c:optional d:optional"},
		"UTC":                        {"a,b\n2020-01-31T10:00:00Z,2020-01-31T10:00:00Z\n2020-01-31 10:00:00+00:00,2020-01-31T10:00:00+01:00\n", ", a:utc b:utc"},
		"no timestamps":              {"a,b,c,d\n2020-01-31 10:00:00Z,2020-01-31 10:00:00.1234567,2021-02-29 10:00:00,10:00:00\n2020-01-31 10:00:00,2020-01-31,2020-01-31,10:00\n", ", a:optional b:optional c:optional d:time"},
		"leading zero":               {"a,b\n1,1\n7,007\n", ", a:int b:optional"},
		"zero":                       {"a,b\n0,0.50\n-0,.5\n", ", a:int b:decimal"},
		"beyond 64 bits":             {"a,b,c,d\n9223372036854775807,1,1,NA\n-9223372036854775808,9223372036854775808,18446744073709551616,-170141183460469231731687303715884105728\n", ", a:int b:huge c:huge d:huge"},
		"beyond 128":                 {"a,b,c\n1,18446744073709551616,18446744073709551616\n170141183460469231731687303715884105728,1.5,0018446744073709551616\n", ", a:optional b:optional c:optional"},
		"wide decimals":              {"a,b,c\n123456789012.123456,1234567890123.5,1.1234567\n", ", a:decimal b:float c:float"},
		"int and float":              {"a,b\n1,9007199254740993\n1.5,1.5\n", ", a:decimal b:optional"},
		"printed floats":             {"a,b\n999999999999998592,999999999999998591\n1.5,1.5\n", ", a:float b:optional"},
		"no such day":                {"a,b\n2021-02-28,2021-02-28\n2021-02-28,2021-02-29\n", ", a:day b:optional"},
		"empty cells":                {"a,b,c\n1,,\"\"\n,2,\n", ", a:int b:int c:optional"},
		"spaces":                     {"a,b,c\n 1 , 1.5, 2020-01-01\n2,2,2020-01-02\n", ", a:int b:decimal c:day"},
		"padded moments":             {"a,b,c,d,e,f\n 2020-01-31 10:00:00,31.12.2020  , 10:30,1 Jan 2020 ,yes , 2020-01-31T10:00:00Z\n2020-02-01, 1.2.2020,9:05 , 3 May 2021,  no,2020-01-31T10:00:00Z \n", ", a:timestamp b:dmy c:time d:named e:truth f:utc"},
		"words":                      {"a,b,c,d\ntrue,nan,t,1-2\nFalse,inf,f,1-3\n", ", a:bool b:optional c:truth d:optional"},
		"null words":                 {"a,b,c,d,e\n1,2.5,?,-,None\n?,***,3,NaT,2\n<NA>,(D),n.a.,2020-01-01,---\n", ", a:int b:decimal c:int d:day e:int"},
		"nothing in pounds":          {"a,b\nx,\" £1,250.50 \"\ny, £-   \n", ", a:optional b:decimal[£1,234.5]"},
		"null words alone":           {"a,b\n?,x\n*,None\n", ", a:optional b:optional"},
		"last row":                   {"a,b\n" + many("1,2\n", 270_000) + "1,x\n", ", a:int b:optional"},
		"lines of a log":             {"[2024-01-05 10:11:12] started: all is well\n[2024-01-05 10:11:13] x failed and was started again in 5 s\n[2024-01-05 10:11:14] y ended\n[2024-01-05 10:11:15] a long line of which nobody can say what it means; z ended\n", ", headless column0:optional"},
		"addresses alone":            {"link 1\nhttps://a.org/1\nhttps://a.org/2\nhttps://a.org/3\n", ", link 1:optional"},
		"numbered words":             {"item1\nitem2\nitem3\nitem4\n", ", item1:optional"},
		"a list of words":            {"name 2\n" + many("Ann\nBob\n", 20), ", name 2:optional"},
		"headless words":             {many("Ann\nBob\nCy\n", 20), ", headless column0:optional"},
		"two bars":                   {"id||name||v\n1||||1.5\n2||x|y||2.5\n", "|| id:int name:optional v:decimal"},
		"two semicolons":             {"id;;name;;v\n1;;a;;1,5\n2;;;;2\n", ";; id:int name:optional v:decimal[1234,5]"},
		"three bars":                 {"id|||name|||v\n1|||a|||1.5\n2|||b|||2.5\n", "||| id:int name:optional v:decimal"},
		"two signs":                  {"id@@name@@v\n1@@a@@1.5\n2@@b@@2.5\n", "@@ id:int name:optional v:decimal"},
		"angles":                     {"id<>name\n1<>a\n2<>b\n", "<> id:int name:optional"},
		"an arrow":                   {"id→name\n1→a\n2→b\n", "→ id:int name:optional"},
		"signs in a name":            {"a--b\n1\n2\n", ", a--b:int"},
		"addresses":                  {"url\nhttps://a.org/1\nhttps://a.org/2\n", ", url:optional"},
		"headless arrows":            {"1->2\n3->4\n", ", 1->2:optional"},
		"colours":                    {"hex,v\n#ff0000,1\n#00ff00,2\n\n# source: office, 2024\n# revised\n", ", hex:optional v:int"},
		"colours of texts":           {"hex,name\n#ff0000,red\n#00ff00,green\n# source\n", ", hex:optional name:optional"},
		"a colour first":             {"hex,v\n#ff0000,1\nblue,2\n# source: office\n", ", hex:optional v:int"},
		"comments alike":             {"id,tag,v\n1,#x,3\n2,y # z,4\n# comment, with, commas\n3,z,5\n", ", id:int tag:optional v:int"},
		"a bar in signs":             {"id~|~name~|~v\n1~|~~|~1.5\n2~|~x|y~|~\n", "~|~ id:int name:optional v:decimal"},
		"signs in bars":              {"\"id\"|~|\"name\"|~|\"v\"\n1|~|\"a|~|b\"|~|1.5\n2|~|c|d|~|\n", "|~| id:int name:optional v:decimal"},
		"headless signs":             {"1^|^a\n2^|^b^\n", "^|^ headless column0:int column1:optional"},
		"cells of signs":             {"1|-|a\n2|-|b\n", "| headless column0:int column1:optional column2:optional"},
		"columns of signs":           {"id|~|v\n1||2\n3|~|4\n", "| id:int ~:optional v:int"},
		"bars, no cells":             {"a|x|b\n1||2\n3||4\n", "| a:int x:optional b:int"},
		"some empty cells":           {"1||2\n3||4\n5|x|6\n", "| headless column0:int column1:optional column2:int"},
		"two empty cells":            {"1|||2\n3|||4\n", "| headless column0:int column1:optional column2:optional column3:int"},
		"signs for quotes":           {"~id~|~v~\n~1~|~2~\n", "| id:int v:int"},
		"tildes":                     {"id|name|note\n1|~Ann|e~|~x~\n2|~Bob~|~y|z~\n3|~Cy~|~w~\n", "| id:int name:optional note:optional"},
		"no tildes":                  {"id|name\n1|~5\n2|~6\n3|~7~x\n", "| id:int name:optional"},
		"blanks between signs":       {"who^day^v\nx^Jan 1 2000^2.5\ny^Feb 1 2000^3.5\n", "^ who:optional day:named v:decimal"},
		"one sign":                   {"id*name*v\n1*ab*2.5\n2*cd*3\n", "* id:int name:optional v:decimal"},
		"a slash in a name":          {"km/h\n1/2\n3/4\n", ", km/h:optional"},
		"a sign in quotes":           {"\"a\"#\"b\"\n\"x\"#\"y, z\"\n\"w\"#\"v\"\n", "# a:optional b:optional"},
		"a sign in others":           {"  1 # 'Bay Rd' # ' Ulm, 01'\n  2 # 'Pine St' # ' Bonn, 02'\n103 # 'Rd 7' # ' Kiel, 03'\n", "# headless column0:int column1:optional column2:optional"},
		"spaces before others":       {"id, name\n1, 'it''s, so'\n2, 'b'\n", ", id:int name:optional"},
		"spaces, apostrophes":        {"id, name\n1, it's\n2, 'twas\n", ", id:int name:trimmed"},
		"names in quotes":            {"'a'\t'b'\n0\t7\n1\t1\n", "\t a:int b:int"},
		"names in quotes, few texts": {"'a';'b'\n0;'x y'\n1;z\n", "; a:int b:optional"},
		"names with apostrophes":     {"'tis;'twas\n1;2\n3;4\n", "; 'tis:int 'twas:int"},
		"a tab before texts":         {"18.0   8   307.\t\"a b\"\n15.0   8   350.\t\"c d\"\n25.0   4   98.0\t\"e\"\n", "\\s+ headless column0:decimal column1:int column2:decimal column3:optional"},
		"wide names":                 {"Days      Time Weight ID\n    0.0      1      1      1\n    2.0      1      1      2\n    1.0      1      3      3\n", "\\s+ Days:decimal Time:int Weight:int ID:int"},
		"names over widths":          {"UCC PAY  RT Rank Team         Conf\n  1   1   1    1 Ohio St       B10 \n  2   2   2    2 Oregon        P12 \n  3   4   3    3 Alabama       SEC \n", "[4 5 3 5 13 4] UCC:int PAY:int RT:int Rank:int Team:optional Conf:optional"},
		"a column of decimal commas": {"value\n1,5\n2\n-3,25\n", "; value:decimal[1234,5]"},
		"decimals of a column":       {"price\n1,50\n2,05\n3,99\n", "; price:decimal[1234,5]"},
		"pairs below a name":         {"id\n1,20\n2,30\n3,40\n4,50\n", ", headless column0:int column1:int"},
		"pairs below a title":        {"Pairs of it\n1,5\n2,5\n3,25\n", ", headless column0:int column1:int"},
		"sentences":                  {"He came, saw, and won.\nShe did not, as far as we know.\nThey are here.\nWho, then, is it, if not they?\nAll is well, and so are we.\n", "; headless column0:optional"},
		"sentences below a name":     {"text\nHe came, saw, and won.\nThey are here.\nWho, then, is it, if not they?\nAll is well, and so are we.\n", "; text:optional"},
		"semicolons":                 {"a;b\n1,5;x\n2,5;y\n", "; a:decimal[1234,5] b:optional"},
		"tabs":                       {"a\tb, c\n1\tx\n2\ty, z\n", "\t a:int b, c:optional"},
		"bars":                       {"a|b\n1|2\n", "| a:int b:int"},
		"quotes":                     {"a,b\n\"1\",\"x;\n;y\"\n\"2\",\"z\"\n", ", a:int b:optional"},
		"CRLF":                       {"a,b\r\n1,2\r\n3,4\r\n", ", a:int b:int"},
		"CR":                         {"a,b\r1,2\r3,4\r", ", a:int b:int"},
		"byte order":                 {"\ufeffa,b\n1,2\n", ", a:int b:int"},
		"headless":                   {"1,x,2020-01-01\n2,y,2020-01-02\n", ", headless column0:int column1:optional column2:day"},
		"headless BOM":               {"\ufeff1,x\n2,y\n", ", headless column0:int column1:optional"},
		"texts alone":                {"a,b\nc,d\n", ", a:optional b:optional"},
		"header alone":               {"a,b\n", ", a:optional b:optional"},
		"one column":                 {"a\n1\n2\n", ", a:int"},
		"equal names":                {"a,A,,a\n1,2,3,4\n", ", a:int A_1:int column2:int a_2:int"},
		"blank lines":                {"\n\na,b\n\n1,2\n\n", ", a:int b:int"},
		"short rows":                 {"a,b\n1,2\nx\n3,4\n", ", a:int b:int"},
		"one row":                    {"1,2,x\n", ", headless column0:int column1:int column2:optional"},
		"one row of NA":              {"NA,x", ", NA:optional x:optional"},
		"one cell":                   {"2020-01-01", ", headless column0:day"},
		"one text":                   {"a", ", a:optional"},
		"one with gaps":              {"a,,b\n\n", ", a:optional column1:optional b:optional"},
		"numbered rows":              {",name,city\n0,anna,bonn\n1,bob,ulm\n", ", column0:int name:optional city:optional"},
		"numbered in R":              {"\"\",\"name\"\n\"1\",\"anna\"\n", ", column0:int name:optional"},
		"no number":                  {",anna,bonn\n1,bob,ulm\n,carl,kiel\n", ", headless column0:int column1:optional column2:optional"},
		"nothing to say":             {",anna,anna\n1,bob,ulm\n", ", headless column0:int column1:optional column2:optional"},
		"years":                      {"country,code,2019,2020,\nGermany,DE,1,2,\nFrance,FR,,2019,\nItaly,IT,5,6,\n", ", country:optional code:optional 2019:int 2020:int"},
		"years back":                 {"geo;2020;2019\nDE;1.5;2\n", "; geo:optional 2020:decimal 2019:int"},
		"years and blanks":           {"geo\t2020 \t2021 \nAT\t1.4 \t2.8 \nBE\t: \t3.2 b\n", "\t geo:optional 2020:decimal 2021:optional"},
		"from and to":                {"DE,2019,2020\nFR,2018,2021\nIT,2018,\n", ", headless column0:optional column1:int column2:int"},
		"years in rows":              {"x,2019,2018,2020\ny,1,2,3\n", ", headless column0:optional column1:int column2:int column3:int"},
		"a single year":              {"x,2019,a\ny,1,b\n", ", headless column0:optional column1:int column2:optional"},
		"years alone":                {"2019,2020\n1,2\n", ", headless column0:int column1:int"},
		"no end of line":             {"a,b\n1,2", ", a:int b:int"},
	} {
		f, err := sniffed(t, tt.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := shape(f); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

// TestSniffUnnamed counts the columns at the end that a header leaves out.
func TestSniffUnnamed(t *testing.T) {
	for text, want := range map[string]int{
		"a,b,\n1,2,3\n4,5,6\n":            1,
		"a,,\n1,2,3\n4,5,6\n":             2,
		"a,b,\n1,2,\n4,5,\n":              0, // nothing stands there
		",a,b\n1,2,3\n4,5,6\n":            0, // as spreadsheets number their rows
		"1,2,\n3,4,5\n6,7,8\n":            0, // no header
		"a,b,c\n1,2,3\n4,5,6\n":           0,
		"a,b,\"\"\n1,2,\"\"\n4,5,\"x\"\n": 1,
	} {
		f, err := sniffed(t, text)
		if err != nil || f.Unnamed != want {
			t.Errorf("%q: %v, %v; want %d", text, f, err, want)
		}
	}
}

// TestNotes reads files whose headers and tables are not what one would wish, and says so.
func TestNotes(t *testing.T) {
	many := func(row string, n int) string { return strings.Repeat(row, n) }
	for name, tt := range map[string]struct{ text, want, notes string }{
		"zero bytes":                                  {"a,b\n1,\x002\n", ", a:int b:optional", ""},
		"two names too few":                           {"a,b\n1,2,x,4\n4,5,y,\n", ", a:int b:int column2:optional column3:int", "line 1: the header names 2 of 4 columns, perhaps not the first ones: the others are column2 …"},
		"no name for rows":                            {"a\tb\nr1\t1\t2\nr2\t3\t4\n", "\t column0:optional a:int b:int", "line 1: the header has no name for the first column, which is column0"},
		"two names as one":                            {"id,DiscountDLC,n\n1,2,3,4\n1,6,7,8\n", ", id:int Discount:int DLC:int n:int", `line 1: the header has a name less than the rows have fields: "DiscountDLC" is taken for two, "Discount" and "DLC"`},
		"ends of lines":                               {"a|b\n1|2|\n3|4|\n", "| a:int b:int", ""},
		"a name too many":                             {"a;b;c\n1;2\n4;5\n", "; a:int b:int c:optional", `line 1: the header has 3 names and the rows have 2 fields: "c" is null`},
		"names with ends":                             {"a;b;\n1;2\n4;5\n", "; a:int b:int", ""},
		"two tables":                                  {"# t1\na,b\n1,2\n3,4\n5,6\n7,8\n\n# t2\nc,d,e\n5,6,7\n", ", a:int b:int", "line 1: left out before the table: 1 line, \"# t1\"; line 8: left out behind the table: 3 lines, \"# t2\" …; line 2: the largest of 2 tables is read; the others are read by read_csv with another skip: of 3 columns by skip = 8"},
		"notes behind a table":                        {"a,b,c\n1,2,3\n4,5,6\n,,\nSource: us,,\n", ", a:int b:int c:int", "line 4: left out behind the table: 2 lines, \",,\" …"},
		"a title of two":                              {"Sales,\nid,n\n1,2\n3,4\n", ", id:int n:int", "line 1: left out before the table: 1 line, \"Sales,\""},
		"a name of two":                               {"id,\n1,2\n3,4\n", ", id:int column1:int", "the header names 1 of 2 columns: names may stand over the wrong ones"},
		"comments as records":                         {"# by us\nid,n\n1,2\n# seen, ok\n3,4\n", ", id:int n:int", ""},
		"a key below":                                 {"id,n\n1,2\n3,4\n5,6\n7,8\n9,9\n\nkey,text\na,b\n", ", id:int n:int", `line 8: left out behind the table: 2 lines, "key,text" …`},
		"rows behind a gap":                           {"id,n\n1,2\n3,4\n5,6\n7,8\n9,9\n\n10,\n11,12\n", ", id:int n:int", ""},
		"a comma in its header":                       {"a^b, c^d\nx, y^1^2\nx^1^2\nx^1^2\n", "^ a:optional b, c:int d:int", ""},
		"units":                                       {"name,h,w\n,(m),(kg)\nx,1.5,70\ny,1.6,80\n", ", name:optional h:decimal w:int", `line 2: units, or a second line of the header (",(m),(kg)"), and no row`},
		"two lines of names":                          {"id,2019,,2020,\n,m,f,m,f\n1,2,3,4,5\n2,3,4,5,6\n", ", id:int 2019 m:int 2019 f:int 2020 m:int 2020 f:int", `line 2: a second line of the header (",m,f,m,f"), and no row`},
		"a line under names":                          {"a|b\n---|---\n1|2\n", "| a:int b:int", `line 2: a line drawn under the names ("---|---"), and no row`},
		"open quotes":                                 {"id,h,n\n1,a,5\n2,\"open,6\n3,mid\"dle,7\n4,x,8\n", ", id:int h:optional n:int", ""},
		"a quote left open":                           {"id,v\n" + many("1,2\n", 3000) + "1,\"oops\n" + many("1,2\n", 3000), ", id:int v:optional", ""},
		"inch signs":                                  {"id,h\n1,\"8\" pipe\n2,\"6\" pipe\"\n", ", id:int h:optional", "line 2: quotes here and elsewhere do not enclose cells: they are read as text, as by quote = ''"},
		"a broken quote":                              {"id,h,n\n" + many("1,\"x, y\",2\n", 20) + "1,\"8\" pipe\",2\n", ", id:int h:optional n:int", ""},
		"a list of names":                             {"name\nSmith, John\nDoe, Jane\n", "; name:optional", ""},
		"paragraph signs":                             {"a§b\n1§2\n3§4\n", "§ a:int b:int", ""},
		"western signs":                               {"a\xa7b\n1\xa72\n3\xa74\n", "§ a:int b:int", "it is no UTF-8, and read as windows-1252: read_csv(…, encoding = …) names another encoding"},
		"colons":                                      {"time:val\n1:2\n3:4\n", ": time:int val:int", ""},
		"blanks below comments":                       {"#\n# by us\n1.5 2 3\n2.5 3 4\n", "  headless column0:decimal column1:int column2:int", "line 1: left out before the table: 2 lines, \"#\" …"},
		"a description":                               {"---\nname: x\nfields:\n- name: v1\n- name: v2\n- name: v3\n---\nv1,v2\na,1\nb,2\n", ", v1:optional v2:int", "line 1: left out before the table: 7 lines, \"---\" …"},
		"a long description":                          {"---\nname: x\nfields:\n" + many("- name: v1\n", 40) + "---\nv1,v2\na,1\nb,2\n", ", v1:optional v2:int", "line 1: left out before the table: 44 lines, \"---\" …"},
		"a described column":                          {"---\nname: x\n---\nv1\n1\n2\n", ", v1:int", "line 1: left out before the table: 3 lines, \"---\" …"},
		"comments behind":                             {"a,b\n1,2 # note\n3,4\n5,6 # so, or so\n", ", a:int b:int", "line 2: what follows records and begins with # is a comment, and left out"},
		"behind blanks":                               {"# where\n1 2.5    # x, y\n-3 4   # z\n5 6\n", "\\s+ headless column0:int column1:decimal", "line 2: what follows records and begins with # is a comment, and left out"},
		"comments on all lines":                       {"a;b # h\n# c\n1;\"2\" # note\n3;4 #\n", "; a:int b:int", "line 1: what follows records and begins with # is a comment, and left out"},
		"numbers of flats":                            {"id,street\n1,Main 2 # 4\n3,Ring 4\n5,Ring 6 # 8\n", ", id:int street:optional", ""},
		"numbers with signs":                          {"id,seat\n1,2 #4\n3,4\n", ", id:int seat:optional", ""},
		"signs in quotes":                             {"id,seat\n1,\"2 # 4\"\n3,4\n", ", id:int seat:optional", ""},
		"comments by semicolons":                      {"; gauge data\n; station 5\n1 0.5 12\n2 0.6 13\n3 0.7 14\n", "  headless column0:int column1:decimal column2:int", "line 1: left out before the table: 2 lines, \"; gauge data\" …"},
		"names behind a semicolon":                    {"; made by us in 2020\n; t v w\n1 0.5 12\n2 0.6 13\n3 0.7 14\n", "  headless t:int v:decimal w:int", "line 1: left out before the table: 2 lines, \"; made by us in 2020\" …; line 2: the names of the columns are those in this comment"},
		"first cells empty":                           {";a;b\n;1;2\n;3;4\n", "; a:int b:int", "line 1: each line begins with a delimiter, before which there is no column"},
		"comments by %":                               {"% c\n% m\n1 2 3\n4 5 6\n", "  headless column0:int column1:int column2:int", "line 1: left out before the table: 2 lines, \"% c\" …"},
		"a text in one row":                           {"name,n\nanna,unknown\nbob,5\ncarl,6\n", ", name:optional n:optional", ""},
		"short rows":                                  {"a,b,c\n" + many("1,2\n", 4) + many("1,2,3\n", 9), ", a:int b:int c:int", "line 1: many rows have fewer fields than 3: what they lack is null"},
		"growing rows":                                {"a,b\n" + many("1,2\n", 20) + many("1,2,3\n", 40), ", a:int b:int column2:int", "line 1: the header names 2 of 3 columns, perhaps not the first ones: the others are column2 …; line 1: many rows have fewer fields than 3: what they lack is null"},
		"headers in between, with marks":              {"\ufeffa,b\n1,2\n\ufeffa,b\n3,4\n", ", a:int b:int", "line 3: the header stands here again, and perhaps further on: such lines are left out"},
		"years below some names":                      {"Area,Base,Estimate,,\n,,2020,2021,2022\nAll,1,2,3,4\nNorth,1,2,3,4\nSouth,1,2,3,4\n", ", Area:optional Base:int Estimate 2020:int Estimate 2021:int Estimate 2022:int", "line 2: a second line of the header (\",,2020,2021,2022\"), and no row"},
		"a header beyond the beginning":               {"a,b\n" + many("12345678,x\n", 200_000) + "a,b\n3,4\n", ", a:int b:optional", "line 200002: the header stands here again, and perhaps further on: such lines are left out"},
		"headers in between":                          {"a,b\n1,2\na,b\n3,4\n", ", a:int b:int", "line 3: the header stands here again, and perhaps further on: such lines are left out"},
		"one name in R":                               {"\"x\"\n\"1\" 2.5\n\"2\" 3.5\n", "  column0:int x:decimal", "line 1: the header has no name for the first column, which is column0"},
		"one name, and commas":                        {"\"x\"\n\"1\",2.5\n\"2\",3.5\n", ", column0:int x:decimal", "line 1: the header has no name for the first column, which is column0"},
		"one name, no quotes":                         {"x\n1 2.5\n2 3.5\n3 4.5\n", "  column0:int x:decimal", "line 1: the header has no name for the first column, which is column0"},
		"one name over texts":                         {"\"x\"\n\"1\" \"a\"\n\"2\" \"b\"\n", "  column0:int x:optional", "line 1: the header has no name for the first column, which is column0"},
		"rows numbered by R":                          {"x y\n1 2.5 a\n2 3.5 b\n3 4.5 c\n", "  column0:int x:decimal y:optional", "line 1: the header has no name for the first column, which is column0"},
		"numbered, with a name":                       {"id,y\n1,2.5,a\n2,3.5,b\n3,4.5,c\n", ", id:int y:decimal column2:optional", "line 1: the header names 2 of 3 columns, perhaps not the first ones: the others are column2 …"},
		"a name over times":                           {"time\n2020-01-01 10:00:00\n2020-01-01 11:00:00\n", ", time:timestamp", ""},
		"a count of rows":                             {"3\n5.1 3.5\n4.9 3\n6.1 3\n", "  headless column0:decimal column1:decimal", "line 1: left out before the table: 1 line, \"3\""},
		"counts of both":                              {"3 3\nid x y\n1 2 a\n2 3 b\n3 4 c\n", "  id:int x:int y:optional", "line 1: left out before the table: 1 line, \"3 3\""},
		"counts and classes":                          {"3,4,red,blue\n5.1,3.5,1.4,0.2,0\n4.9,3.0,1.4,0.2,0\n6.1,3.0,4.6,1.4,1\n", ", headless column0:decimal column1:decimal column2:decimal column3:decimal column4:int", "line 1: left out before the table: 1 line, \"3,4,red,blue\""},
		"other counts":                                {"7,4,red,blue\n5.1,3.5,1.4,0.2,0\n4.9,3.0,1.4,0.2,0\n", ", 7:decimal 4:decimal red:decimal blue:decimal column4:int", ""},
		"a period":                                    {"/* quarterly\n   data */\n<1980 Q1>\ninvest cons\n180 451\n179 465\n", "  invest:int cons:int", "line 1: left out before the table: 3 lines, \"/* quarterly\" …"},
		"names above a comment":                       {"# x y z\n# made by us in 2020\n1 2 3\n4 5 6\n", "  headless x:int y:int z:int", "line 1: left out before the table: 2 lines, \"# x y z\" …; line 1: the names of the columns are those in this comment"},
		"late extra fields":                           {many("1|a|\n2|c|\n", 200_000) + "2|b|x\n", "| headless column0:int column1:optional column2:optional", ""},
		"names above units":                           {"# t v\n# s m/s\n1 2\n4 5\n", "  headless t:int v:int", "line 1: left out before the table: 2 lines, \"# t v\" …; line 1: the names of the columns are those in this comment"},
		"a sentence with as many words":               {"# written by hand\n1 2 3\n4 5 6\n", "  headless column0:int column1:int column2:int", "line 1: left out before the table: 1 line, \"# written by hand\""},
		"delimiters at the ends":                      {"1|a|2.5|\n2|b|3.5|\n", "| headless column0:int column1:optional column2:decimal", "line 1: each line ends with a delimiter, behind which there is no column"},
		"delimiters all around":                       {"|1|a|2.5|\n|2|b|3.5|\n", "| headless column0:int column1:optional column2:decimal", "line 1: each line ends with a delimiter, behind which there is no column; line 1: each line begins with a delimiter, before which there is no column"},
		"delimiters in front":                         {";1;a;2.5\n;2;b;3.5\n", "; headless column0:int column1:optional column2:decimal", "line 1: each line begins with a delimiter, before which there is no column"},
		"delimiters around names":                     {"|id|name|\n|1|a|\n|2|b|\n", "| id:int name:optional", "line 1: each line ends with a delimiter, behind which there is no column; line 1: each line begins with a delimiter, before which there is no column"},
		"totals of groups":                            {"region,quarter,sales\nNorth,Q1,100\nNorth,Q2,200\nNorth Total,,300\nSouth,Q1,50\nSouth,Q2,70\nSouth Total,,120\nGrand Total,,420\n", ", region:optional quarter:optional sales:int", "line 4: this row, \"North Total\", and perhaps others may hold totals, and are read as they are"},
		"no totals":                                   {"name,who,sales\nTotal,Oil,100\nBP,Oil,200\nShell,Oil,300\n", ", name:optional who:optional sales:int", ""},
		"several at the ends":                         {"id,name,,\n1,a,,\n2,b,,\n", ", id:int name:optional", "line 1: each line ends with a delimiter, behind which there is no column"},
		"a name for nothing":                          {"id,name,note\n1,a,\n2,b,\n", ", id:int name:optional note:optional", ""},
		"names after a word":                          {"# by us\n# Columns: t p\n1 2\n3 4\n", "  headless t:int p:int", "line 1: left out before the table: 2 lines, \"# by us\" …; line 2: the names of the columns are those in this comment"},
		"notes under a line":                          {"d;n\n31.12.2020;1\n31.12.2021;2\n_____;\nSource: us;\n", "; d:dmy n:int", "line 4: left out behind the table: 2 lines, \"_____;\" …"},
		"notes under a line in Latin-1":               {"Tag;n\n31.12.2020;1\n31.12.2021;2\n31.12.2022;3\n____\n(C) Beh\xf6rde;\n", "; Tag:dmy n:int", "line 5: left out behind the table: 2 lines, \"____\" …; it is no UTF-8, and read as windows-1252: read_csv(…, encoding = …) names another encoding"},
		"header lines in Latin-1":                     {" ;M\xe4nner;;Frauen;\n ;2022T1;2023T1;2022T1;2023T1\nAlle;1,5;2;3;4\nNord;1,5;2;3;4\nS\xfcd;1,5;2;3;4\n", "; column0:optional Männer 2022T1:decimal[1234,5] Männer 2023T1:int Frauen 2022T1:int Frauen 2023T1:int", "line 2: a second line of the header (\" ;2022T1;2023T1;2022T1;2023T1\"), and no row; it is no UTF-8, and read as windows-1252: read_csv(…, encoding = …) names another encoding"},
		"numbers at all distances":                    {"#y  m d  v\n2024 01 5  1.5\n2024 02 6  2.5\n", "\\s+ #y:int m:optional d:int v:decimal", ""},
		"settings above":                              {"Model,M5\nLength,4,Points\nInterval,1e-09,s\nTIME,CH1,CH2\n-2e-09,0.04,1.2\n-1e-09,0.08,1.1\n0,0.12,1\n1e-9,0.16,0.9\n", ", TIME:float CH1:decimal CH2:decimal", "line 1: left out before the table: 3 lines, \"Model,M5\" …"},
		"units and kinds below":                       {"\"TOA5\",\"S1\",\"CR1\",\"12\"\n\"TIMESTAMP\",\"RECORD\",\"RH\"\n\"TS\",\"%\",\"mm\"\n\"\",\"\",\"Avg\"\n\"2024-01-01 00:10:00\",0,3.2\n\"2024-01-01 00:20:00\",1,3.1\n\"2024-01-01 00:30:00\",2,3\n", ", TIMESTAMP:timestamp RECORD:int RH:decimal", "line 3: units, or other lines of the header (\"\\\"TS\\\",\\\"%\\\",\\\"mm\\\"\"), and no rows; line 1: left out before the table: 1 line, \"\\\"TOA5\\\",\\\"S1\\\",\\\"CR1\\\",\\\"12\\\"\""},
		"rows above odd ones":                         {"a,b,c\n1,2,3\nx,y,z\n" + many("4,5,6\n7,8,9\n", 9), ", a:optional b:optional c:optional", ""},
		"odd rows first":                              {"a,b\n1,x\n2,y\n3,z\n" + many("4,5\n6,7\n", 9), ", a:int b:optional", ""},
		"something at one end":                        {"1|a|2.5|\n2|b|3.5|x\n", "| headless column0:int column1:optional column2:decimal column3:optional", ""},
		"names by spaces":                             {"id name value\n1\tann\t2.5\n2\tbob\t3.5\n", "\t headless id:int name:optional value:decimal", "line 1: left out before the table: 1 line, \"id name value\"; line 1: the names of the columns are those in this line, which is no row"},
		"names by semicolons":                         {"id;name;value\n1,ann,2.5\n2,bob,3.5\n", ", headless id:int name:optional value:decimal", "line 1: left out before the table: 1 line, \"id;name;value\"; line 1: the names of the columns are those in this line, which is no row"},
		"names by commas":                             {"id,name,value\n1 ann 2.5\n2 bob 3.5\n", "  headless id:int name:optional value:decimal", "line 1: left out before the table: 1 line, \"id,name,value\"; line 1: the names of the columns are those in this line, which is no row"},
		"names by commas and spaces":                  {"id, name, value\n1 ann 2.5\n2 bob 3.5\n", "  id:int name:optional value:decimal", "line 1: the commas between the names are none of theirs"},
		"texts of Excel":                              {"id;zip;=\"v\"\n1;=\"001\";1,5\n2;;2\n3;\"=\"\"7\"\"\";2\n", "; id:int zip:formula v:decimal[1234,5]", `cells of "zip" such as ="007" are the texts in the quotes: types = {…: 'VARCHAR'} keeps them`},
		"formulas":                                    {"a,b\n1,=A1\n2,=\"x\"\n3,=\"x\"&A1\n", ", a:int b:optional", ""},
		"numbers of channels":                         {"x-axis,1,2\nsecond,Volt,Volt\n-1.0E-03,1.5,2.5\n-0.9E-03,1.6,2.6\n0,1.7,2.7\n", ", x-axis:float 1:decimal 2:decimal", "line 2: units, or a second line of the header (\"second,Volt,Volt\"), and no row"},
		"a table of psql":                             {" id | v \n----+---\n  1 | 2\n  2 | 3\n(2 rows)\n\n", "| id:int v:int", "line 5: left out behind the table: 1 line, \"(2 rows)\"; line 2: a line drawn under the names (\"----+---\"), and no row"},
		"a table of MySQL":                            {"+----+---+\n| id | v |\n+----+---+\n|  1 | a |\n|  2 | b |\n+----+---+\n2 rows in set\n", "| id:int v:trimmed", "line 7: left out behind the table: 1 line, \"2 rows in set\"; line 2: each line ends with a delimiter, behind which there is no column; line 2: each line begins with a delimiter, before which there is no column; the spaces around all cells of \"v\" are left out: types = {…: 'VARCHAR'} keeps them"},
		"lines between rows":                          {"+---+---+\n| a | b |\n+===+===+\n| 1 | x |\n+---+---+\n| 2 | y |\n+---+---+\n", "| a:int b:trimmed", "line 2: each line ends with a delimiter, behind which there is no column; line 2: each line begins with a delimiter, before which there is no column; the spaces around all cells of \"b\" are left out: types = {…: 'VARCHAR'} keeps them"},
		"a line without delimiters":                   {"id,name\n-------\n1,a\n2,b\n", ", id:int name:optional", `line 2: a line drawn under the names ("-------"), and no row`},
		"cells of dashes":                             {"id,v\n1,---\n---,2\n3,4\n", ", id:int v:int", ""},
		"a line between tables":                       {"a,b\n1,2\n3,4\n5,6\n-----\nc,d,e\n1,2,3\n", ", a:int b:int", "line 5: left out behind the table: 3 lines, \"-----\" …; line 1: the largest of 2 tables is read; the others are read by read_csv with another skip: of 3 columns by skip = 5"},
		"totals":                                      {"région;n\nNord;1\nSud;2\nTotal général :;3\n", "; région:optional n:int", `line 4: the last row, "Total général", may hold totals of the others, and is read as they are`},
		"totals behind a key":                         {"id,land,n\n1,Bayern,1\n2,Bremen,2\n,Gesamt,3\n\n", ", id:int land:optional n:int", `line 4: the last row, "Gesamt", may hold totals of the others, and is read as they are`},
		"totals in between":                           {"land,n\nBayern,1\nTotal,1\nBremen,2\n", ", land:optional n:int", ""},
		"firms of that name":                          {"firm,land\nBP,UK\nEni,IT\nTotal,FR\n", ", firm:optional land:optional", ""},
		"a title of two and a gap":                    {"Sales,\n,\nshop,n\na,2\nb,4\n", ", shop:optional n:int", "line 1: left out before the table: 2 lines, \"Sales,\" …"},
		"two titles of two":                           {"Sales,\n,\nshop,n\na,2\nb,4\n,\nCosts,\n,\nshop,n\nc,2\nd,4\n", ", shop:optional n:int", "line 1: left out before the table: 2 lines, \"Sales,\" …; line 8: left out behind the table: 4 lines, \",\" …; line 3: the largest of 2 tables is read; the others are read by read_csv with another skip: of 2 columns by skip = 8"},
		"a title over texts":                          {"Meetings,,\nwho,when,what\nAnn,May,talk\n,,walk\nBob,June,talk\n", ", who:optional when:optional what:optional", "line 1: left out before the table: 1 line, \"Meetings,,\""},
		"a first text alone":                          {"Ann,,\n1,2,3\n4,5,6\n", ", Ann:int column1:int column2:int", "the header names 1 of 3 columns: names may stand over the wrong ones"},
		"keys in as many fields":                      {"made:,01/02/2022,,\nby:,Ann,Bo,\nname,age,kids,born\nx,40,yes,1/31/1980\ny,50,no,2/1/1970\nz,60,yes,3/2/1970\n", ", name:optional age:int kids:truth born:mdy", "line 1: left out before the table: 2 lines, \"made:,01/02/2022,,\" …"},
		"keys above a gap":                            {"Bank:;1;;;;;\nUser:;Ann;;of:;May;;\nFrom:;1;;to:;2;;\nKind:;all;;;;;\n;;;;;;\nday;who;city;what;ref;eur;sign\n31.12.2020;Ann;Ulm;a;x;1,5;S\n31.12.2021;Bob;Bonn;b;y;2,5;H\n", "; day:dmy who:optional city:optional what:optional ref:optional eur:decimal[1234,5] sign:optional", "line 1: left out before the table: 5 lines, \"Bank:;1;;;;;\" …; line 6: the largest of 2 tables is read; the others are read by read_csv with another skip: of 7 columns by skip = 0"},
		"three lines of names":                        {"who,staff,,,cost\n,old,,new,\n,men,women,men,\na,1,2,3,4\nb,5,6,7,8\nc,5,6,7,8\n", ", who:optional staff old men:int staff old women:int staff new men:int cost:int", "line 2: more lines of the header (\",old,,new,\"), which are parts of the names, and no rows"},
		"two lines below names":                       {",DE,FR,IT\nTitle,Germany,France,Italy\nUnit,percent,percent,percent\nx,1.5,2,3\ny,2.5,3,3\nz,3.5,4,3\n", ", column0:optional DE:decimal FR:int IT:int", "line 2: units, or other lines of the header (\"Title,Germany,France,Italy\"), and no rows"},
		"a plate":                                     {",1,2,3\nA,5,6,7\nB,6,7,8\n", ", column0:optional 1:int 2:int 3:int", ""},
		"columns counted from 0":                      {",0,1\n0,5,6\n1,6,7\n", ", column0:int 0:int 1:int", ""},
		"a matrix":                                    {",1,3\n0,5,6\n1,6,7\n", ", headless column0:int column1:int column2:int", ""},
		"years behind an empty cell":                  {";2019;2020\na;1;2\nb;3;4\n", "; column0:optional 2019:int 2020:int", ""},
		"notes in as many fields":                     {"a,b,c\nx,2,3\ny,5,6\nNote: these are numbers,,\n and this is so too; see the other tables of this report for more,,\n", ", a:optional b:int c:int", "line 4: left out behind the table: 2 lines, \"Note: these are numbers,,\" …"},
		"a name alone at the end":                     {"a,b,c\nBonn,2,3\nUlm,5,6\nKiel,,\n", ", a:optional b:int c:int", ""},
		"three lines above texts":                     {"a,b,c\nx,y,z\nu,v,w\nr,s,t\n", ", a:optional b:optional c:optional", ""},
		"unknown at first":                            {"name,age,size\nann,unknown,small\nbob,unknown,tall\ncarl,5,6\ndave,5,7\neve,6,8\nfay,6,8\n", ", name:optional age:optional size:optional", ""},
		"settings above names":                        {"Source,Place,City,Lat\nOffice,7,-,33.5\nYear,Month,Day,n\n2010,1,1,5\n2010,1,2,6\n2010,1,3,7\n", ", Year:int Month:int Day:int n:int", "line 1: left out before the table: 2 lines, \"Source,Place,City,Lat\" …"},
		"keys above few rows":                         {"Station;Bonn;;\nRiver;Rhine;;\nUnit;level;cm;\nday;hour;n;state\n01.02.2020;10:00;3;ok\n28.02.2020;11:00;---;no\n28.02.2020;12:00;5;ok\n", "; day:dmy hour:time n:int state:optional", "line 1: left out before the table: 3 lines, \"Station;Bonn;;\" …"},
		"settings, no names":                          {"TITLE\tx\nDATE\t18/03/07\nFIRST\t399.2\nN\t4\nDATA\n399.2\t97.3\n400.2\t97.1\n401.1\t97.0\n402.1\t97.0\n", "\t headless column0:decimal column1:decimal", "line 1: left out before the table: 5 lines, \"TITLE\\tx\" …"},
		"short settings, no names":                    {"FRAMES\t3\nRATE\t100\nNAMES\thead\thand\n1\t1.5\t2.5\t3\n2\t1.6\t2.6\t3\n3\t1.7\t2.6\t3\n", "\t headless column0:int column1:decimal column2:decimal column3:int", "line 1: left out before the table: 3 lines, \"FRAMES\\t3\" …"},
		"blank cells among units":                     {"id,year,at,lat,wind\n ,Year, ,degrees,kts\nx,1884,1884-06-25,16.5, \ny,1885,1884-06-26,16.5,35\n", ", id:optional year:int at:day lat:decimal wind:int", "line 2: units, or a second line of the header (\" ,Year, ,degrees,kts\"), and no row"},
		"years among names below":                     {"Area,\"April 1, 2010\",,Estimate,\n,Census,Base,2018,2019\nUS,7,8,9,6\nUK,5,8,9,1\n", ", Area:optional April 1, 2010 Census:int April 1, 2010 Base:int Estimate 2018:int Estimate 2019:int", "line 2: a second line of the header (\",Census,Base,2018,2019\"), and no row"},
		"answers below questions":                     {"id,Which?,,Age\n,Answer,Other,Answer\n1,red,,18-29\n2,,blue,30-44\n", ", id:int Which? Answer:optional Which? Other:optional Age Answer:optional", "line 2: a second line of the header (\",Answer,Other,Answer\"), and no row"},
		"more names than cells at ends":               {"X,CH1,Start,Step,\n0,1.2,\n1,1.3,\n2,1.3,\n", ", X:int CH1:decimal Start:optional Step:optional", "line 1: the header has 4 names and the rows have 3 fields: \"Step\" is null"},
		"notes of several lines":                      {"a,b,c\nx,2,3\ny,5,6\nNote: these are numbers,,\nCite as:,,\nOffice 2019,,\n", ", a:optional b:int c:int", "line 4: left out behind the table: 3 lines, \"Note: these are numbers,,\" …"},
		"a track of a browser":                        {"track name=x use=1\nchr1\t100\t5\nchr2\t200\t6\n", "\t headless column0:optional column1:int column2:int", "line 1: left out before the table: 1 line, \"track name=x use=1\""},
		"rows numbered from 0":                        {"   name  age\n0   Ann   34\n1   Bob C  5\n2   Cyd   71\n", "\\s{2,} column0:int name:optional age:int", "line 1: the header has no name for the first column, which is column0"},
		"thousands in two columns":                    {"a,b,c\nx,\"126,443\",\"61,532\"\ny,\"126,167\",\"61,411\"\n", ", a:optional b:int[1,234.5] c:int[1,234.5]", "\"b\" is read with commas between thousands, as commas separate the columns too; \"c\" is read with commas between thousands, as commas separate the columns too"},
		"three digits before an exponent":             {"a\tb\n1\t-7.080e-002\n2\t1.500e-003\n", "\t a:int b:float", ""},
		"words for null and a mark":                   {"a,b,c\nx,\"10,234\",87.5%\ny,\"5,100\",-\nz,*,*\n", ", a:optional b:int[1,234.5] c:decimal[1234.5 %]", "\"b\" is read with decimal points, which other columns have"},
		"a table below texts":                         {"Oxford\nPlace: 4 E, 5 N\nEstimated data have a *.\n  yyyy  mm  tmax  rain\n            degC    mm\n  1853   1   8.4  62.8\n  1853   2   3.2   ---\n  1853   3   7.7  25.9\n", "\\s+ yyyy:int mm:int tmax:decimal rain:decimal", "line 1: left out before the table: 3 lines, \"Oxford\" …; line 5: units (\"degC mm\"), and no row"},
		"lines cut at blanks":                         {"A0001 17.1 -61.8 SAINT JOHN'S FLD\nB0002 25.3  55.5 DUBAI\nC0003 34.2  62.2 HERAT   NORTH\nD0004  4.2   2.2 OSLO\n", "[6 5 6 16] headless column0:optional column1:decimal column2:decimal column3:optional", ""},
		"cells missing in columns":                    {"PAY LAZ  RT Team      Conf\n  1   1   1 Ohio      B10\n      2   2 New York  P12\n  4       3 Texas     SEC\n  4   3   4 TCU       B12\n", "[4 5 3 10 4] PAY:int LAZ:int RT:int Team:optional Conf:optional", ""},
		"a table of SQL Server":                       {"id   name      amount\n---- --------- ------\n   1 Ann         1.50\n   2 Bob Smith   7.00\n   3 Cy         12.00\n", "[5 10 6] id:int name:optional amount:decimal", "line 2: a line drawn under the names (\"---- --------- ------\"), and no row"},
		"a count below":                               {"id   name      amount\n---- --------- ------\n   1 Ann         1.50\n   2 Bob Smith   7.00\n\n(2 rows affected)\n", "[5 10 6] id:int name:optional amount:decimal", "line 2: a line drawn under the names (\"---- --------- ------\"), and no row; line 6: left out behind the table: 1 line, \"(2 rows affected)\""},
		"verses":                                      {"to be or not\nto me of all\nno go in off\nso he is old\n", ", to be or not:optional", ""},
		"numbered lines":                              {"1 one two\n2 two six\n3 six ten\n4 ten one\n", "  headless column0:int column1:optional column2:optional", ""},
		"years and units below a title":               {"Areas;;;\nWhat it is;;;\n;;2017;2018\n;;km2;km2\na1;x;5,7;5,7\na2;y;8,6;8,6\n", "; column0:optional column1:optional 2017 km2:decimal[1234,5] 2018 km2:decimal[1234,5]", "line 1: left out before the table: 2 lines, \"Areas;;;\" …; line 4: a second line of the header (\";;km2;km2\"), and no row"},
		"names in a comment, and others":              {"# a,b\n1,2\n3,4\n5,6\n# end\n", ", headless a:int b:int", "line 1: the names of the columns are those in this comment"},
		"a header that is a comment":                  {"#time,value,who\n1,2,a\n# mid\n3,4,b\n5,6,c\n", ", headless time:int value:int who:optional", "line 1: the names of the columns are those in this comment"},
		"names of words behind tabs":                  {"# time\tvalue x\n1\t2\n3\t4\n# mid\n5\t6\n", "\t headless time:int value x:int", "line 1: the names of the columns are those in this comment"},
		"fields of Zeek":                              {"#separator \\x09\n#path\tconn\n#fields\tts\tuid\tid.h\n#types\ttime\tstring\taddr\n1.5\tC1\t10.0.0.1\n2.5\tC2\t10.0.0.2\n#close\t2020\n", "\t headless ts:decimal uid:optional id.h:optional", "line 3: the names of the columns are those in this comment"},
		"tags of HXL":                                 {"Name,Day,n\n#org,#date+start,\nA,2020-01-02,5\nB,2020-01-03,6\n", ", Name:optional Day:day n:int", "line 2: tags of HXL (\"#org,#date+start,\"), and no row"},
		"rows of tags":                                {"name;hex\n#red;#ff0000\n#tea;#00ffff\n", "; name:optional hex:optional", ""},
		"a molecule":                                  {"2\nmethane molecule (in angstroms)\nC   0.000   0.000   0.000\nH   0.000   0.000   1.089\nH   1.026   0.000  -0.363\n", "\\s+ headless column0:optional column1:decimal column2:decimal column3:decimal", "line 1: left out before the table: 2 lines, \"2\" …"},
		"names with a delimiter behind, over numbers": {"X,CH1,Start,Step,\nSequence,Volt,-6e-04,1e-06\n0,1.2,,\n1,1.3,,\n2,1.3,,\n", ", X:int CH1:decimal Start:optional Step:optional", "line 2: units, or a second line of the header (\"Sequence,Volt,-6e-04,1e-06\"), and no row"},
		"a note below two columns":                    {"a,b\n1,2\n3,4\nNote: all are estimates,\n", ", a:int b:int", "line 4: left out behind the table: 1 line, \"Note: all are estimates,\""},
		"a note and a title of two columns":           {"Sales of it,\na,b\n1.5,x\n3,y\nNote: all are estimates,\n", ", a:decimal b:optional", "line 1: left out before the table: 1 line, \"Sales of it,\"; line 5: left out behind the table: 1 line, \"Note: all are estimates,\""},
		"rows of one cell at the end":                 {"a\tb\n1\t2\n3\t \n4\t \n\n", "\t a:int b:int", ""},
		"a note with a delimiter less":                {"a,b,c,\n1,2,3,\n3,4,5,\nNote: all are estimates,,\n", ", a:int b:int c:int", "line 4: left out behind the table: 1 line, \"Note: all are estimates,,\"; line 1: each line ends with a delimiter, behind which there is no column"},
		"no number behind a comment":                  {"n,city,v\n,Bonn,x\n93,Bonn,y\n# more\n,Kiel,x\n196,Kiel,z\n25,Bonn,x\n", ", n:int city:optional v:optional", ""},
		"the header behind a comment":                 {"a,b\n1,x\n2,y\n# more\na,b\n3,z\n4,w\n", ", a:int b:optional", "line 5: the header stands here again, and perhaps further on: such lines are left out"},
		"units and the header again":                  {"a,b\n(m),\n1.5,x\n2,y\na,b\n3,z\n", ", a:decimal b:optional", "line 2: units, or a second line of the header (\"(m),\"), and no row; line 5: the header stands here again, and perhaps further on: such lines are left out"},
		"units and delimiters at the ends":            {"a,b,\n(m),,\n1.5,x,\n2,y,\n3,z,\n", ", a:decimal b:optional", "line 2: units, or a second line of the header (\"(m),,\"), and no row; line 1: each line ends with a delimiter, behind which there is no column"},
		"semicolons above a note":                     {"at;day;share\n2024-05-04 03:08;13.02.2020;71,2 %\n2024-06-12 12:30;14.09.2020;63,3 %\n2024-02-17 18:35;15.09.2020;50,6 %\n\nSource: Office of Statistics\n", "; at:timestamp day:dmy share:decimal[1234,5 %]", "line 6: left out behind the table: 1 line, \"Source: Office of Statistics\""},
		"fields of BLAST":                             {"# BLASTN 2.9\n# Fields: query acc.ver, % identity, alignment length\n# 2 hits\ns1\t98.5\t200\ns2\t90.5\t180\n# 1 query\n", "\t headless query acc.ver:optional % identity:decimal alignment length:int", "line 2: the names of the columns are those in this comment"},
		"a title of as many words":                    {"List of people\n1,ann,2.5\n2,bob,3.5\n", ", headless column0:int column1:optional column2:decimal", "line 1: left out before the table: 1 line, \"List of people\""},
	} {
		f, err := sniffed(t, tt.text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var notes []string
		for _, note := range f.Notes() {
			notes = append(notes, note.String())
		}
		if got := strings.Join(notes, "; "); shape(f) != tt.want || got != tt.notes {
			t.Errorf("%s: %s, want %s\n%s\n%s", name, shape(f), tt.want, got, tt.notes)
		}
	}
}

// TestMisfits finds the cells that make texts of columns.
func TestMisfits(t *testing.T) {
	rows := strings.Repeat("1,2020-01-01,x,\"5\"\n", 100_000)
	text := "n,d,t,q\n" + rows + "1.234;5,soon,7,\"5\"\n" + rows + "none,2020-02-30,8,\"5 kg\"\n"
	f, err := sniffed(t, text)
	if err != nil {
		t.Fatal(err)
	}
	open := opener(t, text)
	if err := f.Misfits(t.Context(), []int{0, 1, 2, 3}, func() (vfs.File, error) { return open(0) }); err != nil {
		t.Fatal(err)
	}
	for i, want := range []*sniff.Misfit{
		{Format: columnar.FormatInt, Line: 100_002, Cell: "1.234;5", Count: 2, Cells: []string{"1.234;5", "none"}},
		{Format: columnar.FormatDay, Line: 100_002, Cell: "soon", Count: 2, Cells: []string{"soon", "2020-02-30"}},
		nil,
		{Format: columnar.FormatInt, Line: 200_003, Cell: "5 kg", Count: 1, Cells: []string{"5 kg"}},
	} {
		if got := f.Columns[i].Misfit; !reflect.DeepEqual(got, want) {
			t.Errorf("column %s: %+v, want %+v", f.Columns[i].Name, got, want)
		}
	}
}

// TestMisfitsOfSmallTables names also the words for null of a column, and half of its cells suffice.
func TestMisfitsOfSmallTables(t *testing.T) {
	text := "a;b;c;d\ns;1;x;1\nnd;2;12;2\n16,0;A1;y;01067\n7,0;B2;13;4\n19,0;C3;z;5\n"
	f, err := sniffed(t, text)
	if err != nil {
		t.Fatal(err)
	}
	open := opener(t, text)
	if err := f.Misfits(t.Context(), []int{0, 1, 2, 3}, func() (vfs.File, error) { return open(0) }); err != nil {
		t.Fatal(err)
	}
	if m := f.Columns[0].Misfit; m == nil || strings.Join(m.Advice("a", "DECIMAL"), " ") != "nullstr = ['', 'nd', 's']" {
		t.Errorf("the first column: %+v", m)
	}
	for _, c := range f.Columns[1:] {
		if c.Misfit != nil {
			t.Errorf("column %s: %+v", c.Name, c.Misfit)
		}
	}
}

// TestFlags finds numbers behind which flags stand, and not those of other texts.
func TestFlags(t *testing.T) {
	text := "id,a,b,c,d,e,f\n1,12.3 p,\"1,234*\",: c,5a,12.5,12 EUR each\n" + strings.Repeat("2,5.6 e,7,0.5,6b,2 x,12\n", 3000) +
		"3,: be,\"1,5\",1,7c,none,1\n4,1e3,5,2 d,8d,,1\n5,1e3,5,2 d,9e,,1\n6,1,1,1,10f,,1\n7,1,1,1,10g,,1\n"
	f, err := sniffed(t, text)
	if err != nil {
		t.Fatal(err)
	}
	open := opener(t, text)
	if err := f.Misfits(t.Context(), []int{1, 2, 3, 4, 5, 6}, func() (vfs.File, error) { return open(0) }); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`2 12.3 p ["p" "e" "be"] float`, // 1e3
		"", "",                          // nearly all are numbers
		"", "", "",
	} {
		got := ""
		if m := f.Columns[i+1].Misfit; m != nil && m.Flags != nil {
			got = fmt.Sprintf("%d %s %q %v", m.Line, m.Cell, m.Flags, m.Format)
		}
		if got != want {
			t.Errorf("column %s: %s, want %s", f.Columns[i+1].Name, got, want)
		}
	}
}

// TestSniffParts settles a type by all files.
func TestSniffParts(t *testing.T) {
	f, err := sniffed(t, "a,b\n1,2\n", "a;b\n1;x\n")
	if err != nil || shape(f) != ", a:int b:optional" {
		t.Errorf("%s, %v", shape(f), err)
	}
}

// Lines may be longer than what is looked at in one place of a large file.
func TestSniffLongLines(t *testing.T) {
	var text strings.Builder
	text.WriteString("a,b\n")
	for i := range 20 {
		fmt.Fprintf(&text, "%d,short\n%d,%s\n", i, i, strings.Repeat("long ", 40_000))
	}
	if f, err := sniffed(t, text.String()); err != nil || shape(f) != ", a:int b:optional" {
		t.Errorf("%+v, %v", f, err)
	}
}

func TestSniffRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ text, reason string }{
		"empty":              {"", csv.ReasonEmptyFile},
		"control characters": {"a,\x02\x03\x04\x05\x06\x07\x08\x0e\x0f\x11\n1,2\n", csv.ReasonNotCSV},
		"zero bytes":         {"a,b" + strings.Repeat("\x00", 300) + "\n", csv.ReasonNotCSV},
	} {
		_, err := sniffed(t, tt.text)
		var input *csv.InputError
		if !errors.As(err, &input) || input.Reason != tt.reason {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestPlainCells compares the fast path for common cells with the general one.
func TestPlainCells(t *testing.T) {
	cells := []string{
		"0", "07", "12345678", "123456789", "1234567x", "-1", "1.5", "1/", "1:", "1 ", "1.5000001", "-12345678.5", "123456789012",
		"1234567890123", "2004-02-29", "2004-02-30", "2004-02-29 10:00:00", "-", "",
	}
	for _, a := range cells {
		for _, b := range cells {
			one, err := sniffed(t, "a,b\n5,"+a+"\n6,"+b+"\n")
			if err != nil {
				t.Fatal(err)
			}
			other, err := sniffed(t, "a,b\n5,\""+a+"\"\n6,\""+b+"\"\n") // cells in quotes go the plain way
			if err != nil || shape(one) != shape(other) {
				t.Errorf("%q and %q: %s, in quotes %s (%v)", a, b, shape(one), shape(other), err)
			}
		}
	}
}

// TestWatch checks the types that a Watch finds while a file is read, for columns with one odd
// row anywhere in it.
func TestWatch(t *testing.T) {
	rights := 0
	for place := range 15 {
		var b strings.Builder
		b.WriteString("a,b\n")
		for row := range 150_000 {
			if row == place*10_000 {
				b.WriteString("1.5,\"odd\n,\"\n")
			}
			b.WriteString("12345,67890\n")
		}
		open := opener(t, b.String())
		first := func() (vfs.File, error) { return open(0) }
		f, err := sniff.Look(t.Context(), first, sniff.Given{})
		if err != nil {
			t.Fatal(err)
		}
		guess := shape(f)
		w := sniff.NewWatch([]*sniff.File{f}, 1, []int{0, 1})
		watched(t, w.Part(0, f), first)
		right := w.Settled()
		if got := shape(f); got != ", a:decimal b:optional" || right != (got == guess) || !w.Complete() {
			t.Errorf("%s was guessed, %s seen, right: %v", guess, got, right)
		}
		if right {
			rights++
		}
	}
	if rights == 0 || rights == 15 {
		t.Errorf("%d of 15 guesses were right", rights)
	}
}

// TestWatchNulls checks the types that a Watch finds in columns of which many cells are empty or words for null.
func TestWatchNulls(t *testing.T) {
	for _, tt := range []struct {
		nulls []string
		cells []string
		want  string
	}{
		{nil, []string{"1.5", "NA", "", "-2"}, "decimal"},
		{nil, []string{"1.5", "NA", "-2", "NaN"}, "float"},
		{nil, []string{"1.5", "NA", "-2", "none"}, "optional"},
		{[]string{"none"}, []string{"1.5", "none", "-2", "none"}, "decimal"},
		{[]string{"none", ""}, []string{"1.5", "none", "", "-2"}, "decimal"},
		{[]string{"none"}, []string{"1.5", "none", "", "-2"}, "optional"},
		{[]string{"none"}, []string{"1.5", "none", "NA", "-2"}, "optional"},
	} {
		open := opener(t, "a,b\n"+strings.Repeat(strings.Join(tt.cells, ",x\n")+",x\n", 200))
		first := func() (vfs.File, error) { return open(0) }
		f, err := sniff.Look(t.Context(), first, sniff.Given{Nulls: tt.nulls})
		if err != nil {
			t.Fatal(err)
		}
		f.Columns[0].Format = columnar.FormatInt // whatever the samples say
		w := sniff.NewWatch([]*sniff.File{f}, 1, []int{0})
		watched(t, w.Part(0, f), first)
		w.Settled()
		if got, want := shape(f), ", a:"+tt.want+" b:optional"; got != want {
			t.Errorf("%q with %q: %s, not %s", tt.cells, tt.nulls, got, want)
		}
	}
}

// TestWatchBeginning counts cells of the first blocks alone.
func TestWatchBeginning(t *testing.T) {
	open := opener(t, "a\n"+strings.Repeat("1\n", 2_000_000)+"x\n")
	first := func() (vfs.File, error) { return open(0) }
	f, err := sniff.Look(t.Context(), first, sniff.Given{})
	if err != nil {
		t.Fatal(err)
	}
	f.Columns[0].Format = columnar.FormatInt // whatever the samples say
	w := sniff.NewWatch([]*sniff.File{f}, 1, []int{0})
	p := w.Part(0, f)
	blocks := shown(t, p, first)
	p.End(blocks - 1)
	if !w.Settled() || w.Complete() {
		t.Error("a block that does not count has counted")
	}
	shown(t, p, first)
	p.End(blocks)
	if w.Settled() {
		t.Error("a block that counts has not")
	}
}

// TestWatchAgain guesses anew by the first cell that does not fit.
func TestWatchAgain(t *testing.T) {
	open := opener(t, "a,b\n"+strings.Repeat("1,x\n", 2_000_000)+"1e300,x\n"+strings.Repeat("1,x\n", 2_000_000))
	first := func() (vfs.File, error) { return open(0) }
	f, err := sniff.Look(t.Context(), first, sniff.Given{})
	if err != nil {
		t.Fatal(err)
	}
	f.Columns[0].Format = columnar.FormatInt // whatever the samples say
	w := sniff.NewWatch([]*sniff.File{f}, 1, []int{0, 1})
	if w.Wrong() {
		t.Error("a guess was wrong before anything was read")
	}
	shown(t, w.Part(0, f), first)
	if !w.Wrong() {
		t.Error("a cell that does not fit was not seen")
	}
	w = w.Again()
	if got := shape(f); got != ", a:float b:optional" {
		t.Errorf("%s was guessed again", got)
	}
	watched(t, w.Part(0, f), first)
	if w.Wrong() || !w.Settled() {
		t.Error("the second guess was wrong")
	}
}

// watched shows a file to what watches it, to the end.
func watched(t *testing.T, p *sniff.Part, open func() (vfs.File, error)) {
	t.Helper()
	shown(t, p, open)
	p.End(-1)
}

// shown shows all blocks of a file, and returns how many there are.
func shown(t *testing.T, p *sniff.Part, open func() (vfs.File, error)) (blocks int64) {
	t.Helper()
	file, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	r, err := csv.Open(t.Context(), file, csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var b csv.Block
	for see := p.Worker(); ; blocks++ {
		if err := r.Next(t.Context(), &b); errors.Is(err, io.EOF) {
			return blocks
		} else if err != nil {
			t.Fatal(err)
		}
		see(&b)
	}
}

// Single spaces may stand in the cells of aligned columns, and in quotes any.
func TestAligned(t *testing.T) {
	for text, want := range map[string]string{
		"id   name            city\n1    John Smith      New York\n22   Ann  Oslo\n": `\s{2,} id name city`,
		"  id  n\n   1  \"a  b\"  \n  22  c d\r\n":                                   `\s{2,} id n`,
		"id name\n1 John\n2 Ann\n":                                                   "  id name",
	} {
		f, err := sniffed(t, text)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		got := f.Delimiter
		for _, c := range f.Columns {
			got += " " + c.Name
		}
		if got != want || f.Columns[0].Format != columnar.FormatInt {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzLook checks that Look is deterministic and fails only with an InputError, and that it finds
// the same columns if its result is given.
func FuzzLook(f *testing.F) {
	for _, text := range []string{
		"a,b\n1,2\n", "Report\n\na;b\n1;NA\n2;3\n", "# x\n1::2\n# y\n3::4\n", "'a','b'\n'x, y','z'\n", "a,b\n\"x\\\", y\",1\n\"z\",2\n",
		"a  b\n 1   2\n", "\xff\xfea\x00\n\x001\x00\n\x00", "\ufeff\"a\"\r\n\r\n", "a^b\n1^2", "\"",
		"# t1\na,b\n1,2\n3,4\n\n# t2\nc,d,e\n5,6,7\n", "n,h,w\n,(m),(kg)\nx,1,7\ny,1,8\n", "a\tb\nr\t1\t2\ns\t3\t4\n", "a,b\n1,2,\na,b\n3,4,\n\nx,,\n",
		",,A,0\n,,0\n,0,", ",,a,b\n,,1,2\n,,3,4\n", "\", \n\"00,",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		found, err := sniffed(t, string(data))
		var wrong *csv.InputError
		if err != nil {
			if !errors.As(err, &wrong) {
				t.Fatalf("%q: %v", data, err)
			}
			return
		}
		again, err := sniffed(t, string(data))
		if err != nil || shape(again) != shape(found) {
			t.Fatalf("%q: %s, and then %s: %v", data, shape(found), shape(again), err)
		}
		if found.Format.Describe != nil {
			return
		}
		header := !found.Headless
		given := sniff.Given{Dialect: found.Dialect, Header: &header, Skipped: true}
		open := opener(t, string(data))
		told, err := sniff.Look(t.Context(), func() (vfs.File, error) { return open(0) }, given)
		if err != nil {
			t.Fatalf("%q is %s, and refused as that: %v", data, shape(found), err)
		}
		if len(told.Columns) != len(found.Columns) || told.Headless != found.Headless {
			t.Fatalf("%q is %s, and as that %s", data, shape(found), shape(told))
		}
	})
}

// TestForms settles how the numbers, dates and truth values of a column are written.
func TestForms(t *testing.T) {
	for name, tt := range map[string]struct{ cells, want string }{
		"decimal commas":        {"1,20|22,3|5", "decimal[1234,5]"},
		"late thousands":        {"1,20|22,3|1.234,56", "decimal[1.234,5]"},
		"thousands":             {"999|1.234.567", "int[1.234,5]"},
		"commas":                {"1,234|999", "optional"},
		"point and comma":       {"1,234|1,234.5", "decimal[1,234.5]"},
		"one reading is left":   {"1,234|1,5", "decimal[1234,5]"},
		"points only":           {"1.234|5.678", "decimal"},
		"points and thousands":  {"1.234|5.678|12,5", "decimal[1.234,5]"},
		"points and millions":   {"1.234|5.678.901", "int[1.234,5]"},
		"both marks":            {"1,5|1.5", "optional"},
		"zeros first":           {"0,123|0,456", "decimal[1234,5]"},
		"spaces":                {"1 234|999", "int[1 234.5]"},
		"no-break spaces":       {"1\u00a0234,5|1\u202f234,5", "decimal[1 234,5]"},
		"apostrophes":           {"1'234.50|1’234", "decimal[1'234.5]"},
		"Indian":                {"12,34,567|1,234", "int[12,34,567.5]"},
		"euros":                 {"1.234,50 €|5 €|7", "decimal[1.234,5 €]"},
		"codes":                 {"EUR 5|5 €", "int[1234.5 €]"},
		"two currencies":        {"5 €|5 $", "optional"},
		"dollars":               {"$1,234|$45,000", "int[$1,234.5]"},
		"euros in doubt":        {"€1.234", "optional"},
		"per cent":              {"5 %|12,5%", "decimal[1234,5 %]"},
		"some per cent":         {"5 %|12.5", "optional"},
		"brackets":              {"(5.00)|7.5|-1", "decimal[1234.5]"},
		"minus behind":          {"5.00-|7.5", "decimal[1234.5]"},
		"plus":                  {"+0,2|-0,3|0", "decimal[1234,5]"},
		"plus and points":       {"+0.2|-0.3|0", "decimal"},
		"plus and per cent":     {"+3 %|−0,1 %|0 %", "decimal[1234,5 %]"},
		"plus and thousands":    {"+1.234,5|-12,0", "decimal[1.234,5]"},
		"plus and euros":        {"+5 €|-5 €", "int[1234.5 €]"},
		"plus behind":           {"1.234,56+|12,00-", "decimal[1.234,5]"},
		"two signs":             {"+-1,5|1,5", "optional"},
		"dialled":               {"+49 170 123|+49 170 456", "optional"},
		"dialled, with points":  {"+351.912.345.678|+351.912.345.679", "optional"},
		"dialled, short":        {"+49|+351", "optional"},
		"a list":                {"(1)|(2)", "optional"},
		"a real minus":          {"−5|7", "int[1234.5]"},
		"a dash for a minus":    {"–5|7", "int[1234.5]"},
		"won":                   {"₩1,234|₩45,000", "int[1,234.5 ₩]"},
		"sí and no":             {"Sí|NO|SÍ", "truth"},
		"sim and não":           {"sim|Não|NÃO", "truth"},
		"ja and nee":            {"ja|Nee|nej", "truth"},
		"days of the week":      {"Fri Jan 31 2020|Saturday, February 1, 2020", "named"},
		"no such day":           {"Sat Jan 31 2020|Sat Feb 1 2020", "optional"},
		"signs of East Asia":    {"2020年1月31日|2020年 12月 1日", "named"},
		"points and spaces":     {"31. 1. 2020|1. 12. 2020", "dmy"},
		"points behind":         {"2020.01.31.|2020.12.01.", "ymd"},
		"points and a time":     {"2020.01.31. 10:20|2020.12.01. 0:05", "ymdtime"},
		"commas in seconds":     {"2020-01-31 10:20:30,123|2020-01-31 10:20:31", "timestamp"},
		"zeros in seconds":      {"2020-01-31 10:20:30.1200000|2020-01-31 10:20:31.0000000", "timestamp"},
		"nanoseconds":           {"2020-01-31 10:20:30.123456789|2020-01-31 10:20:31", "optional"},
		"telephones":            {"612 345 678|712 345 678", "optional"},
		"addresses":             {"192.168.100.200|10.200.100.200", "optional"},
		"versions":              {"1.2.3|1.2.4", "optional"},
		"lists":                 {"1,2,3|4,5,6", "optional"},
		"many digits":           {"1,5|123456789012345678901234567890", "optional"},
		"floats":                {"1,5|1,123456789", "float[1234,5]"},
		"offices abroad":        {"1,5|n.d.|k.A.|k. A.|nd|N/D|s/d|n.v.", "decimal[1234,5]"},
		"offices":               {"1,5|..|:|.|--|–|#NV", "decimal[1234,5]"},
		"exponents":             {"1,5E+03|2", "float[1234,5]"},
		"zeros":                 {"007|1,5", "optional"},
		"nulls":                 {"1,5|NA|-|#DIV/0!", "decimal[1234,5]"},
		"yes and no":            {"yes|no|YES", "truth"},
		"letters":               {"T|F|t", "truth"},
		"letters of two kinds":  {"T|N", "optional"},
		"one letter":            {"F|F", "optional"},
		"ja and nein":           {"ja|Nein", "truth"},
		"one and zero":          {"1|0", "int"},
		"short years":           {"31.12.99|1.2.24", "dmy2"},
		"short years in doubt":  {"01.02.03|02.03.04", "optional"},
		"a century in doubt":    {"31.12.45|1.2.24", "optional"},
		"short times":           {"12/31/99 3:04 PM|1/2/24", "mdy2time"},
		"months in English":     {"1 Jan 2020|Feb 3, 2021", "named"},
		"months in German":      {"1. März 2020|3. Dezember 2020", "named"},
		"months in Spanish":     {"1 de enero de 2020|3 ago 2020", "named"},
		"months in French":      {"1er février 2020|3 déc. 2020", "named"},
		"months in Portuguese":  {"1 de março de 2020|3 out 2020", "named"},
		"months and times":      {"1-Jan-2020 10:00|2-Feb-2021", "namedtime"},
		"months and SAS":        {"05FEB2010:10:20:30|06FEB2010:11:00:00", "namedtime"},
		"months and short ones": {"1-Jan-20|15-Dec-99", "named"},
		"offsets":               {"2020-01-01T10:00:00+02:00|2020-07-01 10:00:00-0530", "utc"},
	} {
		text := "v;w\n"
		for _, cell := range strings.Split(tt.cells, "|") {
			text += cell + ";x\n"
		}
		if f, err := sniffed(t, text); err != nil || shape(f) != "; v:"+tt.want+" w:optional" {
			t.Errorf("%s: %s, want %s (%v)", name, shape(f), tt.want, err)
		}
	}
	if f, err := sniffed(t, "v,w\n999,1\n\"1,234\",1.5\n5,2\n"); err != nil || shape(f) != ", v:int[1,234.5] w:decimal" {
		t.Errorf("quoted thousands: %s (%v)", shape(f), err)
	}
}

// TestHabits reads numbers that may be written in two ways as the other columns of their file say.
func TestHabits(t *testing.T) {
	for text, want := range map[string]string{
		"v;w\n1.200;12,50\n980;3,25\n":             "; v:int[1.234,5] w:decimal[1234,5]",
		"v;w\n1,200;12,50\n9,800;3,25\n":           "; v:decimal[1234,5] w:decimal[1234,5]",
		"v,w\n\"1,250\",12.5\n\"12,400\",7.25\n":   ", v:int[1,234.5] w:decimal",
		"v;w;x\n1,250;12.5;1\n12,400;7.25;2\n":     "; v:int[1,234.5] w:decimal x:int",
		"v;w;x\n1,250;12.5;2,5\n12,400;7.25;3,5\n": "; v:optional w:decimal x:decimal[1234,5]",
		"v;w\n0.500;12,50\n0.250;3,25\n":           "; v:decimal w:decimal[1234,5]",
		"v;w\n1.50;12,50\n2.25;3,25\n":             "; v:decimal w:decimal[1234,5]",
		"v;w\n1.200;x\n1.300;y\n":                  "; v:decimal w:optional",
		"v;w\n1.200.000;1.500\n1.300.000;2.000\n":  "; v:int[1.234,5] w:int[1.234,5]",
	} {
		if f, err := sniffed(t, text); err != nil || shape(f) != want {
			t.Errorf("%q: %s, want %s (%v)", text, shape(f), want, err)
		}
	}
}

// Spaces around the cells of one file, and formulas, are left out only if those of the table's other files have
// some too, or nothing there, and only then it is said.
func TestSpacesAroundCellsOfSeveralFiles(t *testing.T) {
	const padded = "id,name\n1,Ann  \n2,Bob  \n"
	for other, want := range map[string]string{
		"id,name\n3,Cy \n4,Dora \n": ", id:int name:trimmed",
		"id,name\n3,Cy\n4,Dora \n":  ", id:int name:optional",
		"id,name\n3,\n":             ", id:int name:trimmed",
		"id,name\n3,=\"Cy\"\n":      ", id:int name:optional",
	} {
		f, err := sniffed(t, padded, other)
		if err != nil {
			t.Fatal(err)
		}
		if got := shape(f); got != want || (len(f.Notes()) > 0) != strings.Contains(want, "trimmed") {
			t.Errorf("%q: %s, want %s; %v", other, got, want, f.Notes())
		}
	}
}
