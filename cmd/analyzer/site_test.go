package main

import (
	"os"
	"path/filepath"
	"testing"

	"analyzer/process/browser"
)

// TestSearchOfSite searches a site of three pages that lies in files, as a person does.
func TestSearchOfSite(t *testing.T) {
	dir := t.TempDir()
	script, err := os.ReadFile("../../docs/site/static/search.js")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"search.js": string(script),
		"index.js": `window.pages = [{"at": "/a.html", "title": "First", "text": "queues of rows"},
			{"at": "/deep/b.html", "title": "Queues", "text": "rows and rows"}, {"at": "/c.html", "title": "Third", "text": "rows"}];`,
		"deep/x.html": `<!doctype html><script defer src="../search.js"></script>
			<form role="search"><input type="search"></form><ol id="found" hidden></ol>`,
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tab := browser.Open(t)
	tab.Navigate("file://" + dir + "/deep/x.html")
	tab.Type("input", "QUEUES rows")
	tab.Await(`document.querySelectorAll("#found a").length === 2`)
	if first := browser.Evaluate[string](tab, `document.querySelector("#found a").href`); first != "file://"+dir+"/deep/b.html" {
		t.Errorf("the first page is %s", first)
	}
	tab.Type("input", " nowhere")
	tab.Await(`document.querySelector("#found").textContent.startsWith("Nothing")`)
}
