package ipc

import (
	"testing"

	"github.com/apache/arrow/go/v17/arrow/array"
	"github.com/apache/arrow/go/v17/arrow/memory"

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

// checkRows checks that a batch holds rows, by way of Arrow's own comparison.
func checkRows(t testing.TB, schema columnar.Schema, got columnar.RecordBatch, want columnar.Rows) {
	t.Helper()
	batch := columnar.Batch(memory.DefaultAllocator, schema.Arrow(), want.Cols, want.Len)
	defer batch.Release()
	if !array.RecordEqual(got, batch) {
		t.Fatalf("decoded %v, want %v", got, batch)
	}
}
