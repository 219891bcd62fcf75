// Package manpage writes the manual page of a command line program in the man
// macros of roff (man(7)).
package manpage

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/urfave/cli/v2"
)

// Section is a section with paragraphs.
type Section struct {
	Title string
	Items []Item
}

// Item is a paragraph, behind a tag if it has one. Literal text keeps its line
// breaks.
type Item struct {
	Tag     string
	Text    string
	Literal bool
}

// Write writes the page of app: what it is, its commands with their flags, and
// the given sections.
func Write(w io.Writer, app *cli.App, sections ...Section) error {
	p := &page{w: bufio.NewWriter(w)}
	p.macro("TH", strings.ToUpper(app.Name), "1", "", app.Name+" "+strings.Fields(app.Version)[0], "User Commands")
	p.macro("SH", "NAME")
	p.text(app.Name + " - " + app.Usage)
	p.macro("SH", "SYNOPSIS")
	p.literal(app.UsageText)
	p.macro("SH", "COMMANDS")
	for _, c := range app.VisibleCommands() {
		p.command(app, c)
	}
	for _, s := range sections {
		p.section(s)
	}
	return p.w.Flush()
}

type page struct{ w *bufio.Writer }

// macro writes a request with its arguments in quotes.
func (p *page) macro(name string, arguments ...string) {
	fmt.Fprintf(p.w, ".%s", name)
	for _, a := range arguments {
		fmt.Fprintf(p.w, ` "%s"`, strings.ReplaceAll(escape(a), `"`, `\(dq`))
	}
	fmt.Fprintln(p.w)
}

// text writes filled text.
func (p *page) text(text string) {
	for _, line := range strings.Split(text, "\n") {
		fmt.Fprintln(p.w, guard(escape(line)))
	}
}

// literal writes text with its line breaks.
func (p *page) literal(text string) {
	p.macro("nf")
	p.text(text)
	p.macro("fi")
}

func (p *page) command(app *cli.App, c *cli.Command) {
	p.macro("SS", strings.TrimSpace(app.Name+" "+c.Name+" "+c.ArgsUsage))
	p.text(sentence(c.Usage))
	if c.Description != "" {
		p.macro("PP")
		p.text(c.Description)
	}
	for _, f := range c.VisibleFlags() {
		d, ok := f.(cli.DocGenerationFlag)
		if !ok || f.Names()[0] == "help" {
			continue
		}
		placeholder, usage := unquote(d.GetUsage())
		tag := "--" + f.Names()[0]
		if placeholder != "" {
			tag += " " + placeholder
		}
		if text := d.GetDefaultText(); text != "" && d.TakesValue() && text != `""` {
			usage += " (default: " + text + ")"
		}
		p.item(Item{Tag: tag, Text: sentence(usage)})
	}
}

func (p *page) section(s Section) {
	p.macro("SH", s.Title)
	for _, item := range s.Items {
		p.item(item)
	}
}

func (p *page) item(item Item) {
	if item.Tag != "" {
		p.macro("TP")
		fmt.Fprintf(p.w, "\\fB%s\\fR\n", escape(item.Tag))
	} else {
		p.macro("PP")
	}
	if item.Literal {
		p.literal(item.Text)
		return
	}
	p.text(item.Text)
}

// unquote takes the placeholder in backquotes out of a flag's usage.
func unquote(usage string) (placeholder, rest string) {
	before, after, ok := strings.Cut(usage, "`")
	placeholder, end, closed := strings.Cut(after, "`")
	if !ok || !closed {
		return "", usage
	}
	return placeholder, before + placeholder + end
}

// escape writes what roff would take for commands: backslashes, and the hyphens
// that it would turn into dashes. Other characters than ASCII are named, since
// not every roff reads UTF-8.
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\\':
			b.WriteString(`\e`)
		case r == '-':
			b.WriteString(`\-`)
		case r > unicode.MaxASCII:
			fmt.Fprintf(&b, `\[u%04X]`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// guard keeps a line that begins with a control character from being a request.
func guard(line string) string {
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		return `\&` + line
	}
	return line
}

// sentence begins with a capital and ends with a full stop.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + strings.TrimSuffix(text[1:], ".") + "."
}
