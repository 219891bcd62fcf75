package sniff_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"analyzer/columnar/sniff"
	"analyzer/columnar/vfs"
)

// BenchmarkLook looks at the beginnings of files of 2 MB.
func BenchmarkLook(b *testing.B) {
	rows := func(header, format string) string {
		var text strings.Builder
		text.WriteString(header)
		for i := 0; text.Len() < 2<<20; i++ {
			fmt.Fprintf(&text, format, i, i%7)
		}
		return text.String()
	}
	short := strings.NewReplacer("1,", "1\n", "3,", "3\n")
	for _, tt := range []struct{ name, text string }{
		{"numbers", rows("a,b,c\n", "%d,%d,2.5\n")},
		{"texts", rows("a,b,c\n", "x%d,word%d,longer text here\n")},
		{"headless", rows("", "%d,w%d,2.5\n")},
		{"lines", rows("text\n", "the cat %d sat on the mat %d\n")},
		{"one", rows("a\n", "%d.%d\n")},
		{"ragged", short.Replace(rows("a,b,c\n", "%d,%d,2.5\n"))},
		{"small", "a\n1\n2\n3\n4\n"},
		{"sentences", rows("text\n", "the cat %d sat on the mat %d\n")[:1<<19]},
		{"ends", rows("a|b|\n", "%d|%d|\n")},
		{"western", rows("Stra\xdfe,b\n", "M\xfcller %d,%d\n")},
	} {
		b.Run(tt.name, func(b *testing.B) {
			fs := vfs.NewMem()
			f, err := fs.Create("0")
			if err == nil {
				_, err = io.WriteString(f, tt.text)
			}
			if err := errors.Join(err, f.Close()); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(1 << 20)
			for b.Loop() {
				if _, err := sniff.Look(b.Context(), func() (vfs.File, error) { return fs.Open("0") }, sniff.Given{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
