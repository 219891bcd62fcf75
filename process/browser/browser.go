// Package browser lets tests use pages as people do, in Chromium, which install.sh installs.
// A program of a module of its own, testdata/driver, speaks to it.
package browser

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// patience bounds everything that a test does in a tab.
const patience = 3 * time.Minute

// Tab is a tab of a browser. It fails the test if what is asked of it cannot be done.
type Tab struct {
	t    testing.TB
	to   io.Writer
	from *bufio.Reader
	end  time.Time
}

// Open opens a tab, which is closed with the test.
func Open(t testing.TB) *Tab {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	program := filepath.Join(t.TempDir(), "driver")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".")
	build.Dir = filepath.Join(filepath.Dir(here), "testdata", "driver")
	if said, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build the driver of the browser: %v\n%s", err, said)
	}
	driver := exec.Command(program, t.TempDir())
	driver.Stderr = os.Stderr
	to, err := driver.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	from, err := driver.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := driver.Start(); err != nil {
		t.Fatal(err)
	}
	late := time.AfterFunc(patience, func() { _ = driver.Process.Kill() }) // what was asked then fails
	t.Cleanup(func() {
		late.Stop()
		_ = to.Close() // which ends it
		_ = driver.Wait()
	})
	return &Tab{t, to, bufio.NewReader(from), time.Now().Add(patience)}
}

// request and response are those of the driver.
type request struct {
	Do, To, Text  string
	Width, Height int64
}

type response struct {
	Value json.RawMessage
	Error string
}

// ask has the driver do something, and returns what it says.
func (b *Tab) ask(r request) response {
	b.t.Helper()
	line, err := json.Marshal(r)
	if err == nil {
		_, err = b.to.Write(append(line, '\n'))
	}
	var answer response
	if err == nil {
		if line, err = b.from.ReadBytes('\n'); err == nil {
			err = json.Unmarshal(line, &answer)
		}
	}
	if err != nil {
		b.t.Fatalf("%s %s: %v", r.Do, r.To, err)
	}
	return answer
}

// must is ask for what has to succeed.
func (b *Tab) must(r request) json.RawMessage {
	b.t.Helper()
	answer := b.ask(r)
	if answer.Error != "" {
		b.t.Fatalf("%s %s: %s", r.Do, r.To, answer.Error)
	}
	return answer.Value
}

// Navigate opens a page.
func (b *Tab) Navigate(address string) {
	b.t.Helper()
	b.must(request{Do: "navigate", To: address})
}

// Resize gives the page a size in pixels.
func (b *Tab) Resize(width, height int64) {
	b.t.Helper()
	b.must(request{Do: "resize", Width: width, Height: height})
}

// Click clicks on the first element of a selector.
func (b *Tab) Click(selector string) {
	b.t.Helper()
	b.must(request{Do: "click", To: selector})
}

// Type types a text into the first element of a selector.
func (b *Tab) Type(selector, text string) {
	b.t.Helper()
	b.must(request{Do: "type", To: selector, Text: text})
}

// Enter is the key of that name.
const Enter = "\r"

// Press presses a key.
func (b *Tab) Press(key string) {
	b.t.Helper()
	b.must(request{Do: "press", To: key})
}

// Picture returns a picture of the page as a PNG file.
func (b *Tab) Picture() []byte {
	b.t.Helper()
	return decoded[[]byte](b, b.must(request{Do: "picture"}))
}

// Evaluate returns the value of an expression in the page.
func Evaluate[T any](b *Tab, expression string) T {
	b.t.Helper()
	return decoded[T](b, b.must(request{Do: "evaluate", To: expression}))
}

func decoded[T any](b *Tab, text json.RawMessage) (value T) {
	b.t.Helper()
	if err := json.Unmarshal(text, &value); err != nil {
		b.t.Fatal(err)
	}
	return value
}

// Await waits until an expression is true in the page. If it is not before the tab ends, Await
// fails the test and shows the expression.
func (b *Tab) Await(expression string) {
	b.t.Helper()
	for {
		done := b.ask(request{Do: "evaluate", To: "!!(" + expression + ")"})
		if done.Error == "" && string(done.Value) == "true" {
			return
		}
		if time.Now().After(b.end.Add(-5 * time.Second)) {
			b.t.Fatalf("it did not come to be on the page: %s (%s)", expression, done.Error)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
