package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

func TestAnswer(t *testing.T) {
	path := filepath.Join(t.TempDir(), "ratings.csv")
	text := "userId,movieId,rating,timestamp\n1,1,3.0,0\n1,2,2.5,0\n1,1,2.0,0\nx,1,2.0,0\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string][]any{
		"groups": {2, int64(3), 7.5}, "selfjoin": {int64(5), 12.5}, "listagg": {1, int64(3), int64(4)},
	} {
		columns, row, err := answer(path, query)
		if err != nil || len(columns) != len(row) || !reflect.DeepEqual(row, want) {
			t.Errorf("%s: %v %v, %v, want %v", query, columns, row, err, want)
		}
	}
	if _, _, err := answer(path, "quilt"); err == nil {
		t.Error("an unknown query is answered")
	}
}
