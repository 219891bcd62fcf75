package main

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"text/template"

	"github.com/cpuguy83/go-md2man/v2/md2man"
	"github.com/urfave/cli/v2"

	"analyzer/datasets/catalog"
)

// TestManualPage holds the manual page to the commands and their flags, with the
// text around them in testdata/man.md. It is made here rather than by the program,
// which would initialise a Markdown renderer at every start.
func TestManualPage(t *testing.T) {
	text, err := os.ReadFile("testdata/man.md")
	if err != nil {
		t.Fatal(err)
	}
	stringer := cli.FlagStringer
	defer func() { cli.FlagStringer = stringer }()
	cli.FlagStringer = func(f cli.Flag) string {
		placeholder, _ := unquote(f.(cli.DocGenerationFlag).GetUsage())
		return strings.TrimRight("**--"+f.Names()[0]+" "+placeholder, " ") + "**\n: " + flagText(f) + "\n"
	}
	p := &program{console: console{stdout: new(bytes.Buffer), stderr: new(bytes.Buffer)}}
	app := p.app()
	app.Setup()
	var markdown bytes.Buffer
	manual := template.Must(template.New("manual").Parse(strings.Replace(string(text), "@QUERIES@", manQueries(), 1)))
	if err := manual.Execute(&markdown, app); err != nil {
		t.Fatal(err)
	}
	page := string(md2man.Render(markdown.Bytes()))
	// Not every roff reads UTF-8, and some make dashes of hyphens that are typed.
	page = regexp.MustCompile(`[^\x00-\x7f]`).ReplaceAllStringFunc(page, func(r string) string {
		return fmt.Sprintf(`\[u%04X]`, []rune(r)[0])
	})
	page = strings.ReplaceAll(page, `\\`+"\n", "\n.br\n")
	page = regexp.MustCompile(`--?[a-z]+(-[a-z]+)*|=-`).ReplaceAllStringFunc(page, func(typed string) string {
		return strings.ReplaceAll(typed, "-", `\-`)
	})
	if *update {
		if err := os.WriteFile("analyzer.1", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
		manualPage = page
	}
	if page != manualPage {
		t.Error("the manual page is old: go test ./cmd/analyzer -run Manual -update")
	}
}

func manQueries() string {
	var b strings.Builder
	for _, d := range catalog.All() {
		b.WriteString(d.Name + ": " + d.Title + "\n\n")
		for _, q := range d.Queries {
			b.WriteString("**" + d.Name + " " + q.Name + "**\n: " + q.Title + ".")
			for _, param := range q.Params {
				b.WriteString("\\\n" + strings.ReplaceAll(param.Name, "_", `\_`) + "=" + param.Default)
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}
