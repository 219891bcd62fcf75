package e2e_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/process/browser"
)

// TestPage watches a job from its start to its answers in a browser, while a worker is
// killed, and with tokens that are not known, or no longer.
func TestPage(t *testing.T) {
	lengthy(t)
	t.Parallel()
	const token = "0123456789abcdef of ann"
	dir := t.TempDir()
	tokens := filepath.Join(dir, "tokens")
	write(t, tokens, "ann "+strings.ReplaceAll(token, " ", "-")+"\n")
	shown := strings.ReplaceAll(token, " ", "-")
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{Token: shown, GatewayFlags: []string{"--http", address, "--token-file", tokens}})

	tab := browser.Open(t)
	tab.Resize(1280, 900)
	tab.Navigate("http://" + address + "/")
	logIn(t, tab, "a token that nobody has")
	tab.Await(`document.querySelector("form [role=alert]")?.textContent.includes("not known")`)
	logIn(t, tab, shown)
	tab.Await(`document.querySelector("main").textContent.includes("You have no jobs")`)

	data := c.Generated("movies", "0.02")
	ratings, err := os.ReadFile(filepath.Join(data, "ratings.csv"))
	if err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "ratings.csv")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	client := c.Begin(t.Context(), "", "submit", "movies", data, "--table", "ratings="+fifo, "--query", "q1,q3", "--keep", "--follow", "--every", "1h",
		"--gateway", c.Gateways(), "--block-size", "64KiB", "--format", "jsonl")
	job := client.AwaitJob().Job()
	pipe, err := os.OpenFile(fifo, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	feed := func(part []byte) {
		t.Helper()
		if _, err := pipe.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	feed(ratings[:len(ratings)/2])
	tab.Await(`document.querySelector('a[href="#/job/` + job + `"]')`)
	// The keyboard stays at a job while the list goes on changing.
	tab.Await(`[...document.querySelectorAll("tbody tr")].some(r => r.dataset.key === "` + job + `" && (window.row = r))`)
	browser.Evaluate[bool](tab, `window.before = row.textContent, row.querySelector("a").focus(), true`)
	tab.Await(`row.textContent !== before`)
	tab.Await(`document.activeElement === row.querySelector("a")`)
	tab.Press(browser.Enter)
	tab.Await(`document.querySelector(".stage progress, .stage.done, .stage.receiving")`)
	picture(t, tab, "running")
	tab.Click(`section[aria-labelledby=answers] > div > button`)
	tab.Await(`/exact for the first blocks:.* [1-9]\d* of ratings/.test(document.querySelector('.answer[aria-label="Answer q3"]')?.textContent)`)
	picture(t, tab, "early")
	c.Worker(1).Down()
	tab.Await(`document.querySelector("[role=alert]")?.textContent.includes("Worker 1 does not answer")`)
	picture(t, tab, "killed")
	c.Worker(1).Up()
	feed(ratings[len(ratings)/2:])
	if err := pipe.Close(); err != nil {
		t.Fatal(err)
	}
	tab.Await(`document.querySelectorAll(".answer table").length === 2 && !document.querySelector("[role=alert]")`)
	tab.Await(`/rows, complete/.test(document.querySelector('.answer[aria-label="Answer q3"]').textContent)`)
	tab.Await(`document.querySelector("article .state").textContent === "done"`)
	tab.Click(`.answer[aria-label="Answer q3"] th:last-child button`)
	tab.Await(`document.querySelector('.answer[aria-label="Answer q3"] th:last-child').ariaSort === "ascending"`)
	tab.Await(`[...document.querySelectorAll("#tables ~ .two .box")].some(b => /rejected:/.test(b.textContent))`)
	for name, width := range map[string]int64{"done": 1280, "phone": 360} {
		tab.Resize(width, 900)
		if over := browser.Evaluate[int](tab, `document.documentElement.scrollWidth - document.documentElement.clientWidth`); over > 0 {
			t.Errorf("%s: the page is %d pixels too wide", name, over)
		}
		picture(t, tab, name)
	}
	if r := client.Wait(); r.Code != 0 {
		t.Errorf("submit: status %d\n%s", r.Code, r.Stderr)
	}
	sameAnswer(t, c, "http://"+address+"/v1/jobs/"+job+"/answers/q3?format=csv", shown, data)

	// The token is taken out.
	write(t, tokens, "bob "+shown+"-of-somebody-else\n")
	c.Gateway(0).Kill()
	tab.Await(`document.querySelector("form [role=alert]")?.textContent.includes("not known")`)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// logIn shows the page a token.
func logIn(t *testing.T, tab *browser.Tab, token string) {
	t.Helper()
	tab.Await(`document.querySelector("#token")`)
	tab.Type("#token", token)
	tab.Click("form button")
}

// sameAnswer fails the test unless an address has the bytes that run writes.
func sameAnswer(t *testing.T, c *e2e.Cluster, url, token, data string) {
	t.Helper()
	ask, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	ask.Header.Set("Authorization", "Bearer "+token)
	response, err := http.DefaultClient.Do(ask)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	want := c.Command(t.Context(), "run", "movies", data, "--query", "q3", "--format", "csv")
	if response.StatusCode != http.StatusOK || string(got) != string(want.Stdout) {
		t.Errorf("%s: %s\n%s\nnot\n%s", url, response.Status, got, want.Stdout)
	}
}

// picture keeps how the page looks, for who wants to see it.
func picture(t *testing.T, tab *browser.Tab, name string) {
	t.Helper()
	if to := os.Getenv("PAGE_TEST_SCREENSHOTS"); to != "" {
		if err := os.WriteFile(filepath.Join(to, name+".png"), tab.Picture(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
