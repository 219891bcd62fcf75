package session_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

// TestReadOptions reads files with options that say what is usually detected, or what other programs
// need to know.
func TestReadOptions(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t.csv": "a,b\n1,x\n2,y\n", "short.csv": "a,b\n1,x\n2\n3,z\n", "wide.csv": "n,d,s,day\n1,1.5,007,2024-01-02\n2,2.25,x,2024-02-03\n",
		"semi.csv": "a;b\n1;\"x\"\n", "of/year=2024/day=01/t.csv": "a\n1\n", "of/year=2025/day=02/t.csv": "a\n2\n",
	} {
		name = filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), Memory: 64 << 20, Replicas: 1, MaxRejects: -1})
	for _, tt := range []struct{ text, want string }{
		{"FROM read_csv('/t.csv', buffer_size = 1000000, max_line_size = '10000', parallel = false, files_to_sniff = 3, sample_size = -1, store_rejects = 0, compression = 'NONE')", "a,b\n1,x\n2,y\n"},
		{"FROM read_csv('/t.csv', header = 1, skip = '0', ignore_errors = 'no')", "a,b\n1,x\n2,y\n"},
		{"FROM read_csv('/t.csv', header = 'false')", "column0,column1\na,b\n1,x\n2,y\n"},
		{"FROM read_csv('/t.csv', filename = 'src')", "a,b,src\n1,x,/t.csv\n2,y,/t.csv\n"},
		{"SELECT count(*) AS n FROM read_csv('/short.csv')", "n\n2\n"},
		{"FROM read_csv('/short.csv', ignore_errors = false)", "short.csv:3: row 1 that is rejected (too-few-fields)"},
		{"FROM read_csv('/t.csv', auto_detect = false, columns = {'a': 'VARCHAR', 'b': 'VARCHAR'})", "a,b\na,b\n1,x\n2,y\n"},
		{"FROM read_csv('/t.csv', auto_detect = false, header = true, columns = {'i': 'BIGINT', 'w': 'VARCHAR'})", "i,w\n1,x\n2,y\n"},
		{"FROM read_csv('/semi.csv', auto_detect = false, columns = {'all': 'VARCHAR'})", "all\na;b\n\"1;\"\"x\"\"\"\n"},
		{"FROM read_csv('/semi.csv', auto_detect = false, delim = ';', header = true, columns = {'a': 'BIGINT', 'b': 'VARCHAR'})", "a,b\n1,x\n"},
		{"SELECT typeof(n) n, typeof(d) d, typeof(day) y FROM read_csv('/wide.csv', auto_type_candidates = ['VARCHAR']) LIMIT 1", "n,d,y\nVARCHAR,VARCHAR,VARCHAR\n"},
		{"SELECT typeof(n) n, typeof(d) d, typeof(day) y FROM read_csv('/wide.csv', auto_type_candidates = ['DOUBLE', 'DATE']) LIMIT 1", "n,d,y\nDOUBLE,DOUBLE,DATE\n"},
		{"SELECT typeof(n) n, typeof(d) d, typeof(day) y FROM read_csv('/wide.csv', auto_type_candidates = ['BIGINT']) LIMIT 1", "n,d,y\nBIGINT,VARCHAR,VARCHAR\n"},
		{"FROM '/of/*/*/t.csv'", "a,year,day\n1,2024,01\n2,2025,02\n"},
		{"FROM read_csv('/of/*/*/t.csv', hive_types = {'day': 'INT', 'year': 'VARCHAR'}) WHERE day = 1 AND year = '2024'", "a,year,day\n1,2024,1\n"},
		{"SELECT typeof(year) y FROM read_csv('/of/*/*/t.csv', hive_types_autocast = false) LIMIT 1", "y\nVARCHAR\n"},
		{"FROM read_csv('/of/*/*/t.csv', hive_partitioning = false)", "a\n1\n2\n"},
		{"FROM read_csv('/of/*/*/t.csv', hive_types = {'day': 'DATE'})", "the directory day=01: "},
	} {
		got, err := answer(t, ses, strings.ReplaceAll(tt.text, "'/", "'"+dir+"/"))
		got = strings.ReplaceAll(got, dir, "")
		if err != nil && strings.Contains(err.Error(), tt.want) {
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, not %q, error %v", tt.text, got, tt.want, err)
		}
	}
}

// TestHugeColumns reads whole numbers beyond 64 bits, declared and not.
func TestHugeColumns(t *testing.T) {
	fs := memory("/t.csv", "i,h\n1,18446744073709551616\n2,-5\n3,NA\n4,\n5,\"170141183460469231731687303715884105727\"\n6,many\n7, 12 \n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 1, MaxRejects: -1})
	for _, tt := range []struct{ text, want string }{
		{"SELECT i, h + 0 AS h FROM read_csv('/t.csv', types = {'h': 'HUGEINT'})", "i,h\n1,18446744073709551616\n2,-5\n3,\n4,\n5,170141183460469231731687303715884105727\n7,12\n"},
		{"SELECT i FROM read_csv('/t.csv', types = {'h': 'HUGEINT'})", "i\n1\n2\n3\n4\n5\n7\n"},
		{"SELECT i FROM read_csv('/t.csv', types = {'h': 'HUGEINT'}, nullstr = ['many', '-5']) WHERE h IS NULL", "i\n2\n6\n"},
		{"SELECT typeof(h) t FROM read_csv('/t.csv') LIMIT 1", "t\nVARCHAR\n"},
		{"SELECT max(h) h FROM read_csv('/t.csv', nullstr = ['many', 'NA', '']) WHERE h < 18446744073709551617", "h\n18446744073709551616\n"},
	} {
		if got, err := answer(t, ses, tt.text); err != nil || got != tt.want {
			t.Errorf("%s: %q, not %q, error %v", tt.text, got, tt.want, err)
		}
	}
}

// TestSerialDates reads dates that are numbers of days.
func TestSerialDates(t *testing.T) {
	fs := memory("/t.csv", "day,at,n\n45292,45292.5,1\n,NA,2\n60,1,3\n\"1\",61,45292\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 1, MaxRejects: -1})
	want := "day,at,n\n2024-01-01,2024-01-01 12:00:00,1\n,,2\n1900-01-01,1900-03-01 00:00:00,45292\n"
	for _, text := range []string{
		"FROM read_csv('/t.csv', dateformat = 'excel', types = {'day': 'DATE', 'at': 'TIMESTAMP'})",
		"FROM read_csv('/t.csv', types = {'day': 'DATE FORMAT excel', 'at': 'TIMESTAMP FORMAT exceltime'})",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s: %q, not %q, error %v", text, got, want, err)
		}
	}
}

// TestWidths reads a file whose fields have fixed widths.
func TestWidths(t *testing.T) {
	fs := memory("/t.txt", "Report of May\n\nid  name      n\n001 Ana, \"A\"  12\n002 Bödo\n\n003 Cy        7   !\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 1, MaxRejects: -1})
	for _, tt := range []struct{ text, want string }{
		{"FROM read_csv('/t.txt', widths = [4, 10, 3])", "id,name,n\n001,\"Ana, \"\"A\"\"\",12\n002,Bödo,\n003,Cy,7\n"},
		{"SELECT sum(n) AS s FROM read_csv('/t.txt', widths = [4, 10, 3], types = {'n': 'BIGINT'})", "s\n19\n"},
		{"FROM read_csv('/t.txt', widths = [4, 10, 3], skip = 3, header = false, names = ['a', 'b', 'c'])", "a,b,c\n001,\"Ana, \"\"A\"\"\",12\n002,Bödo,\n003,Cy,7\n"},
		{"FROM read_csv('/t.txt', widths = [4, 10, 3], strict_mode = true, auto_detect = false, skip = 3, columns = {'a': 'VARCHAR', 'b': 'VARCHAR', 'c': 'BIGINT'})", "a,b,c\n001,\"Ana, \"\"A\"\"\",12\n002,Bödo,\n003,Cy,7\n"},
		{"FROM read_csv('/t.txt', widths = [4], delim = ';')", "fields of fixed widths have no delimiters and quotes"},
	} {
		got, err := answer(t, ses, tt.text)
		if err != nil && strings.Contains(err.Error(), tt.want) {
			continue
		}
		if err != nil || got != tt.want {
			t.Errorf("%s: %q, not %q, error %v", tt.text, got, tt.want, err)
		}
	}
}
