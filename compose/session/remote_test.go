package session_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote"
	"analyzer/columnar/vfs/remote/remotetest"
	"analyzer/compose/answers"
	"analyzer/compose/session"
)

// sessionOver returns a session over remote files.
func sessionOver(t *testing.T, files vfs.FS) *session.Session {
	return session.New(session.Config{FS: files, Own: vfs.Private(), SpillDir: t.TempDir(), Memory: 128 << 20, Replicas: 2, MaxRejects: -1})
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	_, err := z.Write([]byte(text))
	if err := errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// parquetOf returns a Parquet file with the answer of a statement.
func parquetOf(t *testing.T, ses *session.Session, text string) []byte {
	t.Helper()
	asked, err := ses.Prepare(t.Context(), text, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer asked.Close()
	var out bytes.Buffer
	to, err := answers.NewStream(&out, answers.Options{Format: answers.Parquet, Queries: 1})
	if err != nil {
		t.Fatal(err)
	}
	_, err = asked.Run(t.Context(), to)
	if err := errors.Join(err, to.Finish()); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRemoteFiles(t *testing.T) {
	s := &remotetest.Server{Files: make(map[string][]byte)}
	url, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	for year := 2024; year < 2027; year++ {
		for part := range 3 {
			var text strings.Builder
			text.WriteString("id,text\n")
			for row := range 5000 {
				fmt.Fprintf(&text, "%d,\"%d\n%s\"\n", part*5000+row, year, strings.Repeat("x", row%100))
			}
			name := fmt.Sprintf("bucket/data/year=%d/part-%d.csv", year, part)
			if part == 1 {
				s.Files[name] = []byte(text.String())
			} else {
				s.Files[name+".gz"] = packed(t, text.String())
			}
		}
	}
	wide := 160_000
	if testing.Short() {
		wide = 30_000
	}
	s.Files["bucket/data/wide.parquet"] = parquetOf(t, ses, fmt.Sprintf("SELECT id, md5(id::VARCHAR) AS a, md5((id + 1)::VARCHAR) AS b, md5((id + 2)::VARCHAR) AS c FROM range(%d) r(id)", wide))
	faults := []string{"", "", "503", "", "", "", "cut", "", "", "", "", "429", "", ""}
	for _, faulty := range []bool{false, true} {
		if testing.Short() && !faulty {
			continue
		}
		if faulty {
			s.Fault = func(int64) string { return faults[rand.IntN(len(faults))] }
		}
		for text, want := range map[string]string{
			"SELECT count(*) c, sum(id) s FROM '" + url + "/bucket/data/year=2024/part-0.csv.gz'":                                        "c,s\n5000,12497500\n",
			"SELECT count(*) c, sum(id) s FROM '" + url + "/bucket/data/year=2024/part-1.csv'":                                           "c,s\n5000,37497500\n",
			"SELECT year, count(*) c, sum(id) s FROM 's3://bucket/data/*/part-*.csv*' GROUP BY year ORDER BY year":                       "year,c,s\n2024,15000,112492500\n2025,15000,112492500\n2026,15000,112492500\n",
			"SELECT count(*) c, max(filename) f FROM read_csv('s3://bucket/**/part-?.csv.gz', filename = true)":                          "c,f\n30000,s3://bucket/data/year=2026/part-2.csv.gz\n",
			"SELECT id FROM 's3://bucket/data/*/part-*.csv*' WHERE year = 2025 LIMIT 1 OFFSET 7000":                                      "id\n7000\n",
			"SELECT sum(id) s FROM 's3://bucket/data/wide.parquet'":                                                                      fmt.Sprintf("s\n%d\n", wide*(wide-1)/2),
			"SELECT count(*) c FROM read_csv(['" + url + "/bucket/data/year=2024/part-1.csv', 's3://bucket/data/year=2025/part-1.csv'])": "c\n10000\n",
		} {
			before := s.Bytes.Load()
			if got, err := answer(t, ses, text); err != nil || got != want {
				t.Errorf("%s is %q, error %v", text, got, err)
			}
			if size := int64(len(s.Files["bucket/data/wide.parquet"])); strings.Contains(text, "parquet") && !faulty && s.Bytes.Load()-before > size/3 {
				t.Errorf("%d bytes of %d were read of a Parquet file, for one column", s.Bytes.Load()-before, size)
			}
		}
	}
	s.Fault = nil
	for text, part := range map[string]string{
		"FROM 's3://bucket/none.csv'":                                "s3://bucket/none.csv",
		"FROM '" + url + "/bucket/none.csv'":                         url + "/bucket/none.csv",
		"FROM 's3://bucket/none/*.csv'":                              "no file has a name like",
		"COPY (SELECT 1) TO '" + url + "/x.csv'":                     "COPY to a web server",
		"COPY (SELECT 1 a, 2 b) TO 's3://bucket/x' (PARTITION_BY a)": "PARTITION_BY into a bucket",
		"FROM '" + url + "/bucket/none.csv?a=b'":                     "none.csv?a=b",
	} {
		if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// A file that changes between its two readings by one statement fails by name.
func TestRemoteFileChanges(t *testing.T) {
	text := "id\n" + strings.Repeat("1\n", 2_000_000)
	s := &remotetest.Server{Files: map[string][]byte{"bucket/t.csv": []byte(text)}}
	url, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	began := s.Requests.Load()
	s.Fault = func(n int64) string {
		if n == began+15 {
			return "change"
		}
		return ""
	}
	_, err := answer(t, ses, "SELECT sum(id) FROM '"+url+"/bucket/t.csv'")
	if !errors.Is(err, remote.ErrChanged) || !strings.Contains(err.Error(), "t.csv") {
		t.Error(err)
	}
}

// TestCopyToBucket writes answers into a bucket, with requests that fail and without, and reads them
// back.
func TestCopyToBucket(t *testing.T) {
	s := &remotetest.Server{Files: map[string][]byte{}}
	_, files := s.Start(t, vfs.OS())
	ses := sessionOver(t, files)
	faults := []string{"", "503", "lost", "", "429", ""}
	for _, faulty := range []bool{false, true} {
		if testing.Short() && !faulty {
			continue
		}
		if faulty {
			s.Fault = func(n int64) string { return faults[n%int64(len(faults))] }
		}
		for _, o := range []answers.Options{
			{Format: answers.CSV, File: "x.csv"}, {Format: answers.Parquet, File: "x.parquet"}, {Format: answers.CSV, File: "x.csv.gz", Writing: columnar.Writing{Compression: "gzip"}},
		} {
			out, err := answers.NewDir(files, "s3://bucket/out", o)
			if err != nil {
				t.Fatal(err)
			}
			asked, err := ses.Prepare(t.Context(), "SELECT i, md5(i::VARCHAR) AS h FROM range(60000) r(i)", nil)
			if err != nil {
				t.Fatal(err)
			}
			name := "s3://bucket/out/" + o.File
			if _, err := asked.Run(t.Context(), out); err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(out.Finish(), out.Discard(), asked.Close()); err != nil {
				t.Fatal(err)
			}
			if got, err := answer(t, ses, "SELECT count(*) c, sum(i) s, max(length(h)) l FROM '"+name+"'"); err != nil || got != "c,s,l\n60000,1799970000,32\n" {
				t.Errorf("%s holds %q, error %v", name, got, err)
			}
			if s.Uploads() > 0 && !faulty {
				t.Errorf("%d uploads are left", s.Uploads())
			}
		}
	}
	s.Fault = func(int64) string { return "" }
	out, err := answers.NewDir(files, "s3://bucket/out", answers.Options{Format: answers.CSV, File: "never.csv"})
	if err != nil {
		t.Fatal(err)
	}
	if err := out.Begin("q", columnar.Schema{{Name: "a", Type: columnar.Int}}); err != nil {
		t.Fatal(err)
	}
	before := s.Uploads()
	if err := out.Discard(); err != nil || s.Uploads() != before-1 {
		t.Errorf("%d uploads were %d, error %v", s.Uploads(), before, err)
	}
	if _, ok := s.File("bucket/out/never.csv"); ok {
		t.Error("an answer that was given up is there")
	}
}
