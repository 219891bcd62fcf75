package ipc

import (
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
)

var everyType = rowtest.EveryType()

// encode returns the body of rows in memory as Decode needs it.
func encode(t testing.TB, schema columnar.Schema, rows columnar.Rows) []byte {
	t.Helper()
	body, err := Append(nil, schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	return body
}
