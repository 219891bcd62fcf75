package session_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
	"analyzer/compose/session/fault"
)

// What glob, DESCRIBE and SUMMARIZE list in FROM are rows like any others, in order, of files with any
// names, also of many.
func TestListings(t *testing.T) {
	dir := t.TempDir()
	err := errors.Join(os.Mkdir(filepath.Join(dir, "in"), 0o700), os.Mkdir(filepath.Join(dir, "many"), 0o700), os.MkdirAll(filepath.Join(dir, "strange/k%2F=%FE"), 0o700))
	write := func(name, text string) {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	write("in/b.csv", "z,a\n1,x\n")
	write("in/a\x01\x02.csv", "n\n1\n")
	write("strange/k%2F=%FE/a\xff.csv", "n\n1\n")
	for i := range 1000 {
		write(fmt.Sprintf("many/%04d.csv", i), "n\n1\n")
	}
	write("in/bytes.bin", "\xff\x00a")
	write("in/large.txt", "")
	stored, failed := os.ReadFile("../../columnar/parquet/testdata/v1.parquet")
	err = errors.Join(err, failed)
	write("in/v1.parquet", string(stored))
	if err = errors.Join(err, os.Truncate(filepath.Join(dir, "in/large.txt"), 17<<20)); err != nil {
		t.Fatal(err)
	}
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), Memory: 64 << 20, MaxRejects: -1})
	defer ses.Close()
	for _, text := range []string{"CREATE TABLE kept AS SELECT 1 AS n", "CREATE VIEW seen AS FROM '" + dir + "/in/b.csv'"} {
		if _, err := answer(t, ses, text); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string]string{
		"FROM glob('/in/*.csv')":                     "file\n/in/a\x01\x02.csv\n/in/b.csv\n",
		"FROM glob('/in/b.csv')":                     "file\n/in/b.csv\n",
		"FROM glob('/none/*')":                       "file\n",
		"SELECT count(*) AS n FROM glob('/many/*')":  "n\n1000\n",
		"SELECT f FROM glob('/many/*') t(f) LIMIT 2": "f\n/many/0000.csv\n/many/0001.csv\n",
		"SELECT * EXCLUDE (Columns), Columns[2].name AS n FROM sniff_csv('/in/b.csv')":              "Delimiter,Quote,Escape,Comment,SkipRows,HasHeader,n\n\",\",\"\"\"\",\"\"\"\",\"\",0,true,a\n",
		"SELECT HasHeader, SkipRows, Columns FROM sniff_csv('/in/b.csv', header = false, skip = 1)": "HasHeader,SkipRows,Columns\nfalse,1,\"[{\"\"name\"\": \"\"column0\"\", \"\"type\"\": \"\"BIGINT\"\"}, {\"\"name\"\": \"\"column1\"\", \"\"type\"\": \"\"VARCHAR\"\"}]\"\n",
		"FROM (DESCRIBE '/in/b.csv')": "column_name,column_type\nz,BIGINT\na,VARCHAR\n",
		"SELECT d.column_type AS t FROM (DESCRIBE SELECT 1.5 AS x, [z] AS l FROM '/in/b.csv') d":             "t\nDECIMAL\nBIGINT[]\n",
		"SELECT column_name, max FROM (SUMMARIZE FROM '/in/b.csv') ORDER BY 1":                               "column_name,max\na,x\nz,1\n",
		"WITH t AS (FROM glob('/in/b.*')) SELECT file FROM t WHERE file IN (SELECT file FROM glob('/in/*'))": "file\n/in/b.csv\n",
		"FROM read_text('/in/b.csv')": "filename,content,size\n/in/b.csv,\"z,a\n1,x\n\",8\n",
		"SELECT count(*) AS n, sum(r.size) AS s FROM read_text(['/many/*', '/in/b.csv']) r":                                                                              "n,s\n1001,4008\n",
		"SELECT size, content, typeof(content) AS t FROM read_blob('/in/bytes.bin')":                                                                                     "size,content,t\n3,\\xFF\\x00a,BLOB\n",
		"SELECT table_name, table_type FROM information_schema.tables ORDER BY 1":                                                                                        "table_name,table_type\nkept,BASE TABLE\nseen,VIEW\n",
		"SELECT columns.table_name, column_name, data_type FROM information_schema.columns ORDER BY ALL":                                                                 "table_name,column_name,data_type\nkept,n,BIGINT\nseen,a,VARCHAR\nseen,z,BIGINT\n",
		"SELECT name, type, repetition_type, logical_type, scale FROM parquet_schema('/in/v1.parquet') WHERE name IN ('m', 'ts')":                                        "name,type,repetition_type,logical_type,scale\nm,INT32,OPTIONAL,\"Decimal(precision=9, scale=2)\",2\nts,INT64,OPTIONAL,\"Timestamp(isAdjustedToUTC=false, timeUnit=microseconds, is_from_converted_type=false, force_set_converted_type=false)\",\n",
		"SELECT stats_min_value AS a, stats_max_value AS b, stats_null_count AS n, compression AS c FROM parquet_metadata('/in/v1.parquet') WHERE path_in_schema = 'nt'": "a,b,n,c\n\"\",x99,150,ZSTD\n",
		"SELECT num_rows, num_row_groups, created_by LIKE '% %' AS by FROM parquet_file_metadata('/in/*.parquet')":                                                       "num_rows,num_row_groups,by\n600,1,true\n",
		"SELECT key, typeof(value) AS t FROM parquet_kv_metadata('/in/v1.parquet')":                                                                                      "key,t\n",
		"SELECT table_name FROM duckdb_tables()":                                                                                                                         "table_name\nkept\n",
		"SELECT view_name FROM duckdb_views()":                                                                                                                           "view_name\nseen\n",
		"SELECT count(*) AS n FROM duckdb_columns()":                                                                                                                     "n\n3\n",
		"SELECT function_type, signature, examples FROM duckdb_functions() WHERE function_name = 'ascii'":                                                                "function_type,signature,examples\nscalar,ascii(text),\"[\"\"ascii('A')\"\"]\"\n",
		"SELECT DISTINCT function_type FROM duckdb_functions() ORDER BY 1":                                                                                               "function_type\naggregate\nscalar\nwindow\n",
		"SELECT z, ordinality FROM read_csv(['/in/b.csv', '/in/b.csv']) WITH ORDINALITY ORDER BY 2":                                                                      "z,ordinality\n1,1\n1,2\n",
		"PRAGMA table_info(seen)":        "cid,name,type,notnull,dflt_value,pk\n0,z,BIGINT,false,,false\n1,a,VARCHAR,false,,false\n",
		"CALL pragma_table_info('kept')": "cid,name,type,notnull,dflt_value,pk\n0,n,BIGINT,false,,false\n",

		// Names may have any bytes, and values are UTF-8.
		"FROM glob('/strange/*/*')":                         "file\n/strange/k%2F=%FE/a\uFFFD.csv\n",
		`SELECT n, "k/" AS k, filename FROM '/strange/*/*'`: "n,k,filename\n1,\uFFFD,/strange/k%2F=%FE/a\uFFFD.csv\n",
		"SELECT filename FROM read_text('/strange/*/*')":    "filename\n/strange/k%2F=%FE/a\uFFFD.csv\n",
	} {
		got, err := answer(t, ses, strings.ReplaceAll(text, "'/", "'"+dir+"/"))
		if got = strings.ReplaceAll(got, dir, ""); got != want || err != nil {
			t.Errorf("%s: %q, want %q, error %v", text, got, want, err)
		}
	}
	if _, err := answer(t, ses, "FROM parquet_schema('"+dir+"/in/b.csv')"); err == nil || !strings.Contains(err.Error(), "b.csv is a CSV file and no Parquet file") {
		t.Errorf("parquet_schema of CSV: %v", err)
	}
	for _, text := range []string{
		"FROM glob(1)", "FROM sniff_csv(2)", "FROM sniff_csv('/nothere.csv')", "FROM glob('a', 'b')", "FROM (DESCRIBE nothere)", "FROM (DESCRIBE SELECT x FROM '/in/b.csv')", "FROM read_text(1)", "FROM read_text('-')", "FROM read_text('/in/bytes.bin')", "FROM read_blob('/in/large.txt')",
		"FROM parquet_metadata('/in/none.parquet')", "FROM parquet_kv_metadata(1)",
		"FROM read_csv('/strange/*/*', hive_types = {'k/': 'BIGINT'})", "FROM read_text('/none/*')", "FROM read_text('/none')", "FROM pragma_table_info(1)", "FROM pragma_table_info('nothere')", "FROM duckdb_tables(1)", "FROM information_schema.schemata", "PRAGMA size", "CALL 1",
		"EXECUTE q(1)", "FROM query(1)", "FROM query('nonsense')", "FROM query('DROP TABLE t')", "FROM query_table([])",
	} {
		var wrong *fault.Error
		if _, err := answer(t, ses, text); !errors.As(err, &wrong) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}
