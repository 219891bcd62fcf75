package answers

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"analyzer/columnar"
)

// CutCompression removes the extension of a compression from the name of a file, and returns the
// compression; "": there is none.
func CutCompression(file string) (name, compression string) {
	for extension, compression := range map[string]string{".gz": "gzip", ".zst": "zstd"} {
		if name := file[:max(0, len(file)-len(extension))]; strings.EqualFold(file[len(name):], extension) {
			return name, compression
		}
	}
	return file, ""
}

// Check returns an error if answers in the format cannot be written so.
func (f Format) Check(w columnar.Writing) error {
	compression := w.Compression
	w.Compression = ""
	for _, o := range []struct {
		set  bool
		name string
	}{
		{w.Delimiter != "", "DELIMITER"},
		{w.Quote != "", "QUOTE"},
		{w.Escape != "", "ESCAPE"},
		{w.Null != "", "NULL"},
		{w.Headless, "HEADER"},
		{w.Quoted != nil, "FORCE_QUOTE"},
		{w.Date != "", "DATEFORMAT"},
		{w.Timestamp != "", "TIMESTAMPFORMAT"},
	} {
		if o.set && f != CSV && f != TSV {
			return fmt.Errorf("%s is an option of CSV, and not of %s", o.name, f)
		}
	}
	if w.Array && f != JSONL {
		return fmt.Errorf("ARRAY is an option of JSON, and not of %s", f)
	}
	if w.Delimiter != "" && (w.Delimiter == w.Quote || w.Delimiter == w.Escape) {
		return errors.New("the delimiter is also the quote or the escape")
	}
	switch {
	case f == Parquet || compression == "" || compression == columnar.Uncompressed:
		return nil
	case f == Arrow || compression == "snappy":
		return fmt.Errorf("files of the format %s are not compressed by %s", f, compression)
	}
	return nil
}

// compressed returns a writer that compresses what it passes on to w, and must be closed. Only
// formats of text are compressed as a whole.
func compressed(w io.Writer, o Options) (io.WriteCloser, error) {
	switch {
	case o.Format == Parquet || o.Format == Arrow:
	case o.Writing.Compression == "gzip":
		return gzip.NewWriter(w), nil
	case o.Writing.Compression == "zstd":
		return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	}
	return nopCloser{w}, nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
