package engine_test

import (
	"context"
	"io"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/datasets/generate"
)

// small returns a data set with parameters for which small tables have answers, too.
func small(t testing.TB, name string) *datasets.Dataset {
	t.Helper()
	d, err := catalog.Find(name, map[string]datasets.Settings{
		"movies": {"q1.countries": "United States of America", "q3.country": "United States of America", "q4.country": "United States of America"},
		"steam":  {"min_positive": "3"},
		"books":  {"min_decades": "2", "min_reviews": "2", "word": "the", "q1.category": "Fiction"},
	}[name])
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// generated writes a data set's tables at a scale below a directory.
func generated(t testing.TB, d *datasets.Dataset, scale float64) (dir string) {
	t.Helper()
	dir = t.TempDir() + "/"
	err := d.Generate(context.Background(), generate.Options{
		Scale: scale, Seed: 1,
		Create: func(name string) (io.WriteCloser, error) { return vfs.OS().Create(dir + name) },
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func dataset(t testing.TB, name string) *datasets.Dataset {
	t.Helper()
	d, err := catalog.Find(name, nil)
	if err != nil {
		t.Fatal(err)
	}
	return d
}
