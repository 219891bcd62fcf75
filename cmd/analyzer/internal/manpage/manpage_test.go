package manpage

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func demo(t *testing.T) string {
	t.Helper()
	app := &cli.App{
		Name: "demo", Usage: "shows “pages”", UsageText: "demo run FILE\n.hidden", Version: "v1 go linux",
		Commands: []*cli.Command{
			{
				Name: "run", ArgsUsage: "FILE", Usage: "run a file", Description: "First line,\n'quoted' second.",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "max-size", Usage: "stop at `SIZE`", DefaultText: "no limit"},
					&cli.BoolFlag{Name: "quiet", Usage: `say "nothing" of \n`},
				},
			},
			{Name: "secret", Usage: "not shown", Hidden: true},
		},
	}
	var out strings.Builder
	err := Write(&out, app, Section{Title: "EXIT STATUS", Items: []Item{{Tag: "0", Text: "Fine."}, {Text: "a\n b", Literal: true}}})
	if err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestPage(t *testing.T) {
	want := `.TH "DEMO" "1" "" "demo v1" "User Commands"
.SH "NAME"
demo \- shows \[u201C]pages\[u201D]
.SH "SYNOPSIS"
.nf
demo run FILE
\&.hidden
.fi
.SH "COMMANDS"
.SS "demo run FILE"
Run a file.
.PP
First line,
\&'quoted' second.
.TP
\fB\-\-max\-size SIZE\fR
Stop at SIZE (default: no limit).
.TP
\fB\-\-quiet\fR
Say "nothing" of \en.
.SH "EXIT STATUS"
.TP
\fB0\fR
Fine.
.PP
.nf
a
 b
.fi
`
	if got := demo(t); got != want {
		t.Errorf("the page is\n%s\nnot\n%s", got, want)
	}
}

// TestGroffTakesIt formats the page where there is a groff to do so.
func TestGroffTakesIt(t *testing.T) {
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("there is no groff")
	}
	cmd := exec.Command(groff, "-man", "-Tutf8", "-ww", "-P-cbou")
	cmd.Stdin = strings.NewReader(demo(t))
	var problems strings.Builder
	cmd.Stderr = &problems
	text, err := cmd.Output()
	if err != nil || problems.Len() > 0 {
		t.Fatalf("%v: %s", err, problems.String())
	}
	for _, part := range []string{"demo - shows “pages”", "--max-size SIZE", ".hidden", "'quoted'", `"nothing" of \n`} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the formatted page does not show %q:\n%s", part, text)
		}
	}
}
