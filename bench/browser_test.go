package bench

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// browser returns a context of a tab in Chromium.
func browser(t *testing.T) context.Context {
	t.Helper()
	// Nothing but the page is fetched, and no sandbox is needed for our own page, which
	// root could not have.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// TestPageInABrowser looks at the page as a person does, on a desk and on a phone.
// install-browser.sh installs what it needs.
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
	for name, width := range map[string]int64{"desk": 1200, "phone": 390} {
		t.Run(name, func(t *testing.T) {
			const sections = `[...document.querySelectorAll("section")].filter(s => s.offsetParent !== null).map(s => s.dataset.workload)`
			tab := browser(t)
			do(t, tab, chromedp.EmulateViewport(width, 1000))
			do(t, tab, chromedp.Navigate(served.URL))
			if over := do(t, tab, chromedp.Evaluate[int](`document.documentElement.scrollWidth - document.documentElement.clientWidth`)); over > 0 {
				t.Errorf("the page is %d pixels too wide", over)
			}
			charts := do(t, tab, chromedp.Evaluate[int](`[...document.querySelectorAll("svg")].filter(s => s.getBoundingClientRect().height > 100).length`))
			if want := len(measured().Figures()); charts != want {
				t.Errorf("%d charts are shown, want %d", charts, want)
			}
			if shown := do(t, tab, chromedp.Evaluate[[]string](sections)); len(shown) < 2 {
				t.Errorf("only %q are shown", shown)
			}
			if file := os.Getenv("BENCH_TEST_SCREENSHOT"); file != "" { // for a look at it
				if err := os.WriteFile(name+"-"+file, do(t, tab, chromedp.FullScreenshot(100)), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			do(t, tab, chromedp.Click(`button[data-show="groups"]`))
			if shown := do(t, tab, chromedp.Evaluate[[]string](sections)); !slices.Equal(shown, []string{"groups"}) {
				t.Errorf("when groups is chosen, %q are shown", shown)
			}
		})
	}
}

// do does one thing in a tab.
func do[T any](t *testing.T, tab context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(tab, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
