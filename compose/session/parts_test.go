package session_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

// A table of very many files is one table: its rows are counted once, and come in the order of
// the files' names.
func TestManyFiles(t *testing.T) {
	const files = 1500
	dir := t.TempDir()
	for i := range files {
		text := fmt.Sprintf("n,name\n%d,a\n%d,b\n", 2*i, 2*i+1)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%04d.csv", i)), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ses := session.New(session.Config{FS: vfs.OS(), Own: vfs.Private(), SpillDir: t.TempDir(), Memory: 256 << 20, Replicas: 2, MaxRejects: -1})
	all := "'" + filepath.Join(dir, "part-*.csv") + "'"
	for text, want := range map[string]string{
		"SELECT name, count(*) AS c, sum(n) AS s FROM " + all + " GROUP BY name ORDER BY name": "name,c,s\na,1500,2248500\nb,1500,2250000\n",
		"SELECT n FROM " + all + " LIMIT 3 OFFSET 2500":                                        "n\n2500\n2501\n2502\n",
		// A list has its own order, may hold patterns, and may name a file twice.
		"SELECT n FROM read_csv(['" + dir + "/part-0007.csv', '" + dir + "/part-000[01].csv', '" + dir + "/part-0007.csv']) WHERE name = 'a'": "n\n14\n0\n2\n14\n",
	} {
		if got, err := answer(t, ses, text); err != nil || got != want {
			t.Errorf("%s is %q, error %v", text, got, err)
		}
	}
}
