// Package browser lets tests look at pages as people do, in Chromium.
// bench/install-browser.sh installs it.
package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience is for all that a test does in a tab.
const patience = 3 * time.Minute

// Open returns a context of a tab that is closed with the test.
func Open(t testing.TB) context.Context {
	t.Helper()
	// Nothing but the page is fetched, and no sandbox is needed for our own page, which
	// root could not have. Nothing moves, so that pictures show what is.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(t.TempDir()),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("force-prefers-reduced-motion", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, patience)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// Do does one thing in a tab, and fails the test if that cannot be done.
func Do[T any](t testing.TB, tab context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(tab, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Await waits until an expression of the page is true, and fails the test with what the
// page says if it does not become so.
func Await(t testing.TB, tab context.Context, expression string) {
	t.Helper()
	for {
		done, err := chromedp.Run(tab, chromedp.Evaluate[bool]("!!("+expression+")"))
		if err == nil && done {
			return
		}
		if tab.Err() != nil {
			t.Fatalf("it did not come to be on the page: %s (%v)", expression, err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
