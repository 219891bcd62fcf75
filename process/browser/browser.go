// Package browser lets tests use pages as people do, in Chromium. bench/install-browser.sh
// installs it.
package browser

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// patience bounds everything that a test does in a tab.
const patience = 3 * time.Minute

// Open opens a tab and returns its context. The tab is closed with the test.
func Open(t testing.TB) context.Context {
	t.Helper()
	// Chromium fetches nothing but the page. Our own page needs no sandbox, which root could
	// not have anyway. Animations are off, so that screenshots are reproducible.
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

// Do performs one action in a tab, and fails the test if it cannot be done.
func Do[T any](t testing.TB, tab context.Context, a chromedp.Action[T]) T {
	t.Helper()
	v, err := chromedp.Run(tab, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// Await waits until an expression is true in the page. If it is not before the tab ends, Await
// fails the test and shows the expression.
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
