package main

import (
	"os"
	"path/filepath"
	"strings"
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

// TestSequences looks for semicolons in drawings of sequences. Mermaid ends a statement there, and
// draws an error instead of the picture.
func TestSequences(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	sequences := 0
	for _, page := range append(pages, "../../README.md", "../../ARCHITECTURE.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, drawing := range strings.Split(string(text), "```mermaid\nsequenceDiagram\n")[1:] {
			sequences++
			drawing, _, _ = strings.Cut(drawing, "```")
			for line := range strings.Lines(drawing) {
				if strings.Contains(line, ";") {
					t.Errorf("%s: %s", page, line)
				}
			}
		}
	}
	if sequences < 3 {
		t.Errorf("there are only %d drawings of sequences", sequences)
	}
}
