package page

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestParts(t *testing.T) {
	for text, want := range map[string]part{
		"":              {0, 5, true, 5},
		"bytes 0-4/5":   {0, 5, true, 5},
		"bytes 0-4/9":   {0, 5, false, 9},
		"bytes 4-8/9":   {4, 9, true, 9},
		"bytes 4-8/*":   {4, 9, false, -1},
		"bytes 0-9/10":  {}, // the body has five
		"bytes 4-8/8":   {},
		"bytes 8-4/9":   {},
		"bytes 0-4":     {},
		"bytes -4/9":    {},
		"bytes 0-4/5, ": {},
		"bytes 99999999999999999990-99999999999999999994/*": {},
	} {
		r := httptest.NewRequest(http.MethodPut, "/", strings.NewReader("01234"))
		if text != "" {
			r.Header.Set("Content-Range", text)
		}
		got, err := parsePart(r)
		if got != want || (err != nil) != (want == part{}) {
			t.Errorf("%q: %+v, %v; want %+v", text, got, err, want)
		}
	}
	r := httptest.NewRequest(http.MethodPut, "/", strings.NewReader("01234"))
	r.ContentLength = -1
	if got, err := parsePart(r); err != nil || got != (part{0, -1, true, -1}) {
		t.Errorf("a body of unknown length: %+v, %v", got, err)
	}
}
