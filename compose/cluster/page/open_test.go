package page

import (
	"strings"
	"testing"
)

// TestRequestsOfAnotherShape names what a request has that openapi.yaml has not.
func TestRequestsOfAnotherShape(t *testing.T) {
	for body, want := range map[string]string{
		`[]`:                        "an object is needed, as in openapi.yaml, and this is of type array",
		`{"queries": "q3"}`:         `the field "queries" has a value of another type than openapi.yaml says: string`,
		`{"statement": "SELECT 1"}`: `unknown field "statement"`,
		`{"dataset": "movies"`:      "unexpected EOF",
	} {
		if _, err := decode(strings.NewReader(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	if asked, err := decode(strings.NewReader(`{"dataset": "movies", "queries": ["q3"]}`)); err != nil || asked.Dataset != "movies" {
		t.Errorf("%v, %v", asked, err)
	}
}
