package columnar_test

import (
	"testing"

	"analyzer/columnar"
)

func TestTextOfFormula(t *testing.T) {
	for text, want := range map[string]string{
		`="007"`: "007", `=("007")`: "007", `=""`: "", `=("")`: "", `="a""b"""`: `a"b"`, `=""""`: `"`, `="""""x"`: `""x`,
	} {
		if got := string(columnar.TextOfFormula([]byte(text))); got != want || !columnar.IsFormula([]byte(text)) {
			t.Errorf("%s is %q, not %q", text, got, want)
		}
	}
	for _, text := range []string{"", "=", `="`, `=(`, `=()`, `=(")`, `="a"&"b"`, `="a"b"`, `="""`, `=SUM(A1)`, `"007"`, ` ="007"`, `=("a"`, `="a")`} {
		if got := string(columnar.TextOfFormula([]byte(text))); got != text || columnar.IsFormula([]byte(text)) {
			t.Errorf("%s is %q, and not itself", text, got)
		}
	}
}
