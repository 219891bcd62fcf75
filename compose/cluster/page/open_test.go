package page

import (
	"strings"
	"testing"

	"analyzer/datasets"
)

// TestRequestsOfAnotherShape names what a request has that openapi.yaml has not.
func TestRequestsOfAnotherShape(t *testing.T) {
	for body, want := range map[string]string{
		`[]`:                        "an object is needed, as in openapi.yaml, and this is of type array",
		`{"queries": "q3"}`:         `the field "queries" has a value of another type than openapi.yaml says: string`,
		`{"statement": "SELECT 1"}`: `unknown field "statement"`,
		`{"dataset": "movies"`:      "unexpected EOF",
		`{"dataset": "movies"} {}`:  "something stands behind the object",
		`{"dataset": "movies"}]`:    "something stands behind the object",
		"\n":                        "there is nothing",
	} {
		if _, err := decode(strings.NewReader(body)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", body, err, want)
		}
	}
	if asked, err := decode(strings.NewReader(`{"dataset": "movies", "queries": ["q3"]}`)); err != nil || asked.Dataset != "movies" {
		t.Errorf("%v, %v", asked, err)
	}
}

// TestUnknownParameters refuses parameters that no query has, as the command line does.
func TestUnknownParameters(t *testing.T) {
	for _, asked := range []Request{
		{Dataset: "movies", Queries: []string{"q3"}, Params: datasets.Settings{"nope": "1"}},
		{Dataset: "movies", Queries: []string{"q3"}, Params: datasets.Settings{"q1.from_year": "2000"}},
		{Tables: "CREATE TABLE t (a BIGINT) FROM 't.csv'", SQL: map[string]string{"q1": "SELECT sum(a) FROM t"}, Params: datasets.Settings{"nope": "1"}},
	} {
		if _, err := asked.forGateway(nil); err == nil || !strings.Contains(err.Error(), "there is no parameter") {
			t.Errorf("%v: %v", asked.Params, err)
		}
	}
}
