// Command driver opens a tab in Chromium and does there what lines on its standard input say, each a
// JSON object, until they end. It answers each by a line. It is a module of its own, so that nobody
// who builds the program needs what drives a browser.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/chromedp/chromedp"
)

// request is one thing to do.
type request struct {
	Do     string // navigate, resize, evaluate, click, type, press or picture
	To     string // an address, an expression, a selector or keys
	Text   string // that is typed
	Width  int64
	Height int64
}

// response is its outcome.
type response struct {
	Value json.RawMessage // of an expression; of a picture, the bytes of a PNG file in base 64
	Error string
}

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "driver:", err)
		os.Exit(1)
	}
}

// run keeps the browser's profile in a directory.
func run(profile string) error {
	// Chromium fetches nothing but the page. Our own page needs no sandbox, which root could
	// not have anyway. Animations are off, so that screenshots are reproducible.
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.UserDataDir(profile),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("force-prefers-reduced-motion", true))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	defer cancel()
	tab, cancel := chromedp.NewContext(ctx)
	defer cancel()
	out := json.NewEncoder(os.Stdout)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r request
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		var answer response
		value, err := r.do(tab)
		if err == nil && value != nil {
			answer.Value, err = json.Marshal(value)
		}
		if err != nil {
			answer.Error = err.Error()
		}
		if err := out.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

func (r *request) do(tab context.Context) (value any, err error) {
	switch r.Do {
	case "evaluate":
		text, err := chromedp.Run(tab, chromedp.Evaluate[[]byte](r.To))
		return jsonValue(text), err
	case "picture":
		return chromedp.Run(tab, chromedp.FullScreenshot(100))
	}
	act := map[string]chromedp.Action[chromedp.Void]{
		"navigate": chromedp.Navigate(r.To),
		"resize":   chromedp.EmulateViewport(r.Width, r.Height),
		"click":    chromedp.Click(r.To),
		"type":     chromedp.SendKeys(r.To, r.Text),
		"press":    chromedp.KeyEvent(r.To),
	}[r.Do]
	if act == nil {
		return nil, fmt.Errorf("there is no %q", r.Do)
	}
	_, err = chromedp.Run(tab, act)
	return nil, err
}

// jsonValue is a value that is JSON already; none is null.
func jsonValue(text []byte) json.RawMessage {
	if len(text) == 0 {
		return []byte("null")
	}
	return text
}
