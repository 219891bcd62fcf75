package fault

import "testing"

func TestSuggest(t *testing.T) {
	known := []string{"format", "query", "replicas", "rejects", "max-rejects", "out", "broker"}
	tests := map[string]string{
		"formt": "format", "fromat": "format", "Query": "query", "querry": "query", "reject": "rejects", "maxrejects": "max-rejects",
		"xyzzy": "", "": "", "repilcas": "replicas", "form": "format", "re": "", "run": "", "workers": "",
	}
	for name, want := range tests {
		if got := Suggest(name, known); got != want {
			t.Errorf("Suggest(%q) = %q, want %q", name, got, want)
		}
	}
}
