package session_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/session"
)

// TestStrictMode refuses wrong quotes by the line of the first, whoever reads which block, and reads
// what is right.
func TestStrictMode(t *testing.T) {
	if testing.Short() {
		t.Skip("its rows are many for the race detector")
	}
	var long strings.Builder
	long.WriteString("a,b\n")
	for i := range 200_000 {
		switch i {
		case 90_000, 150_000:
			fmt.Fprintf(&long, "%d,\"6\"\" pipe\" x\n", i)
		default:
			fmt.Fprintf(&long, "%d,\"te\"\"xt, %d\"\n", i, i)
		}
	}
	fs := vfs.NewMem()
	for name, text := range map[string]string{
		"/long.csv": long.String(), "/right.csv": "a,b\n1,\"x \"\"y\"\"\"\n2,\"\"\n", "/end.csv": "a,b\n1,\"x\"\n2,\"y\n",
		"/open.csv": "a,b\n1,\"x\"\n2,\"y\n3,\"z\"\n4,\"u\"\n5,\"v\"\n6,\"w\"\n",
	} {
		if err := vfs.Replace(fs, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	for _, o := range []session.Config{{Memory: 16 << 20, Replicas: 3}, {Memory: 256 << 20, Replicas: 1}} {
		o.FS, o.Own, o.SpillDir, o.MaxRejects = fs, fs, "/spill", -1
		ses := session.New(o)
		for file, want := range map[string]string{"long.csv": "long.csv:90002: text follows a closing quote", "end.csv": "end.csv:3: the file ends within quotes", "open.csv": "open.csv:3: "} {
			text := "SELECT count(*) AS n FROM read_csv('/" + file + "', strict_mode = true)"
			if _, err := answer(t, ses, text); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "strict_mode out") {
				t.Errorf("%s: %v", file, err)
			}
			if _, err := answer(t, ses, strings.Replace(text, "true", "false", 1)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
		if got, err := answer(t, ses, "FROM read_csv('/right.csv', strict_mode = true)"); err != nil || got != "a,b\n1,\"x \"\"y\"\"\"\n2,\n" {
			t.Errorf("%q, error %v", got, err)
		}
	}
}

func TestNormalNames(t *testing.T) {
	fs := memory("/t.csv", "Año  de Venta, Net (€) ,2024,select,€,Ünit,Year,Date\n1,2,3,4,5,6,7,8\n7,8,9,10,11,12,13,14\n")
	ses := session.New(session.Config{FS: fs, Own: fs, SpillDir: "/spill", Memory: 64 << 20, Replicas: 1, MaxRejects: -1})
	got, err := answer(t, ses, "SELECT *, ano_de_venta + net AS s FROM read_csv('/t.csv', normalize_names = true, header = true)")
	if want := "ano_de_venta,net,_2024,_select,_,unit,_year,date,s\n1,2,3,4,5,6,7,8,3\n7,8,9,10,11,12,13,14,15\n"; err != nil || got != want {
		t.Errorf("%q, not %q, error %v", got, want, err)
	}
}
