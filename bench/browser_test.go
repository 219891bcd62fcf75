package bench

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"

	"analyzer/process/browser"
)

// TestPageInABrowser looks at the page as a person does, on a desk and on a phone.
func TestPageInABrowser(t *testing.T) {
	var page bytes.Buffer
	if err := measured().WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page.Bytes()) // to a browser that may have gone
	}))
	defer served.Close()
	for name, width := range map[string]int64{"desk": 1200, "phone": 360} {
		t.Run(name, func(t *testing.T) {
			const sections = `[...document.querySelectorAll("section")].filter(s => s.offsetParent !== null).map(s => s.dataset.workload)`
			tab := browser.Open(t)
			tab.Resize(width, 1000)
			tab.Navigate(served.URL)
			if over := browser.Evaluate[int](tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
				t.Errorf("the page is %d pixels too wide", over)
			}
			charts := browser.Evaluate[int](tab, `[...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().height > 100).length`)
			if want := len(measured().Figures()); charts != want {
				t.Errorf("%d charts are shown, want %d", charts, want)
			}
			const smallest = `Math.min(...[...document.querySelectorAll("svg text")].map(t => t.getBoundingClientRect().height))`
			if high := browser.Evaluate[float64](tab, smallest); high < 9 {
				t.Errorf("words of charts are %v pixels high", high)
			}
			if shown := browser.Evaluate[[]string](tab, sections); len(shown) < 2 {
				t.Errorf("only %q are shown", shown)
			}
			if file := os.Getenv("BENCH_TEST_SCREENSHOT"); file != "" { // for a look at it
				if err := os.WriteFile(name+"-"+file, tab.Picture(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			tab.Click(`button[data-show="groups"]`)
			if shown := browser.Evaluate[[]string](tab, sections); !slices.Equal(shown, []string{"groups"}) {
				t.Errorf("when groups is chosen, %q are shown", shown)
			}
		})
	}
}
