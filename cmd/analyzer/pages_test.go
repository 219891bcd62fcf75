package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/args"
)

// TestCommandsOfPages tries the commands on README and the pages of docs: in a directory with the
// files that they name, those are run that need no cluster. Of all others, and of those within
// sentences, the names of commands, flags and targets of make must be right. See TestTour and
// TestRecipes for the two pages that show what commands print.
func TestCommandsOfPages(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range append(pages, "../../README.md", "../../ARCHITECTURE.md", "../../CONTRIBUTING.md") {
		t.Run(filepath.Base(page), func(t *testing.T) {
			text, err := os.ReadFile(page)
			if err != nil {
				t.Fatal(err)
			}
			fences := regexp.MustCompile("(?ms)^```.*?^```\n")
			whole := text
			text = fences.ReplaceAll(text, nil)
			for _, target := range regexp.MustCompile("(?m)(?:^    |`)make ([a-z0-9-]+)").FindAllSubmatch(text, -1) {
				if !regexp.MustCompile(`(?m)^` + string(target[1]) + `:`).Match(makefile) {
					t.Errorf("make has no target %s", target[1])
				}
			}
			for _, typed := range regexp.MustCompile("`(analyzer [^`]+)`").FindAllSubmatch(text, -1) {
				check(t, strings.Join(strings.Fields(string(typed[1])), " "))
			}
			var dir string
			for _, line := range regexp.MustCompile(`(?m)^    ((?:analyzer|openssl|docker) (?:.*\\\n)*.*)`).FindAllSubmatch(text, -1) {
				command, _, _ := strings.Cut(string(line[1]), " #")
				program, _, _ := strings.Cut(command, " ")
				if program == name {
					check(t, command)
					if needsCluster(command) {
						continue
					}
				}
				if dir == "" {
					dir = filesOfPages(t)
				}
				switch program {
				case "openssl":
					certify(t, dir, command)
					continue
				case "docker":
					filesAreThere(t, dir, command)
					continue
				}
				if said := try(t, dir, command); strings.Contains(command, "--errors json") && !bytes.Contains(whole, said) {
					t.Errorf("the page does not show what this says: %s\n%s", command, said)
				}
			}
		})
	}
}

// certify runs a command that makes a certificate, or makes files of its names where there is no openssl.
func certify(t *testing.T, dir, command string) {
	t.Helper()
	if _, err := exec.LookPath("openssl"); err == nil {
		try(t, dir, command)
		return
	}
	for _, file := range regexp.MustCompile(`\S+\.pem`).FindAllString(command, -1) {
		if err := os.WriteFile(filepath.Join(dir, file), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// filesAreThere wants the files that a command of Docker names to have been made by the commands before.
func filesAreThere(t *testing.T, dir, command string) {
	t.Helper()
	for _, file := range regexp.MustCompile(`\S+/\S+`).FindAllString(command, -1) {
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Errorf("%s\n%v", command, err)
		}
	}
}

// needsCluster reports whether a command is about a cluster.
func needsCluster(command string) bool {
	alone := []string{"sniff", "sql", "init", "run", "explain", "queries", "compose"}
	return strings.Contains(command, "--gateway") || !slices.Contains(alone, strings.Fields(command)[1])
}

// check parses a command line without running it.
func check(t *testing.T, command string) {
	t.Helper()
	p, _ := newProgram(t.Context())
	app := p.app()
	var idle func([]*cli.Command)
	idle = func(commands []*cli.Command) {
		for _, c := range commands {
			if c.Action != nil {
				c.Action = func(*cli.Context) error { return nil }
			}
			idle(c.Subcommands)
		}
	}
	idle(app.Commands)
	var shown bytes.Buffer
	app.Writer = &shown
	command = regexp.MustCompile(`amqp://…|…`).ReplaceAllString(command, "")
	words := exec.CommandContext(t.Context(), "sh", "-c", "for word in "+command+`; do printf '%s\n' "$word"; done`)
	split, err := words.Output()
	if err != nil {
		t.Fatalf("%s\n%v", command, err)
	}
	if err := app.RunContext(t.Context(), args.Reorder(app, strings.Split(strings.TrimSpace(string(split)), "\n"))); err != nil {
		t.Errorf("%s\n%v", command, err)
	}
}

// try runs a command in the directory, and returns all that it says.
func try(t *testing.T, dir, command string) (said []byte) {
	t.Helper()
	place := "."
	for _, dataset := range []string{"movies", "steam"} {
		if strings.Contains(command, " "+dataset+" ") {
			place = dataset
		}
	}
	command = strings.ReplaceAll(command, "--output DIR", "--output "+filepath.Join(t.TempDir(), "answers"))
	command = strings.NewReplacer(" DIR", " "+place, "=FILE", "=ratings.csv").Replace(command)
	if strings.HasSuffix(strings.TrimSpace(command), " --follow") { // on a terminal
		command += " --format jsonl"
	}
	cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader("SELECT 1\n")
	cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
	said, err := cmd.CombinedOutput()
	if failed := err != nil; failed != strings.Contains(command, "--errors json") { // the page shows an error
		t.Errorf("%s\n%v\n%s", command, err, said)
	}
	return said
}

// TestOutputOnReadme holds what README shows of an answer, some lines of it, to what comes.
func TestOutputOnReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := regexp.MustCompile("(?s)`(analyzer run [^`]*)` over the samples:\n\n```\n(.*?)```").FindSubmatch(text)
	if shown == nil {
		t.Fatal("README shows no answer")
	}
	said := string(timeless(try(t, filesOfPages(t), string(shown[1])+" --format table")))
	rest := said
	for line := range strings.Lines(string(shown[2])) {
		if line == "…\n" {
			continue
		}
		var found bool
		if _, rest, found = strings.Cut(rest, line); !found {
			t.Fatalf("README shows %q, which is not in\n%s", line, said)
		}
	}
}

// filesOfPages returns a directory with the program and the files that pages name.
func filesOfPages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, name)) // see TestMain
	}
	for _, dataset := range []string{"movies", "steam"} {
		if err == nil {
			err = os.CopyFS(filepath.Join(dir, dataset), os.DirFS("../../datasets/catalog/"+dataset+"/samples"))
		}
	}
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(filepath.Join(dir, "movies")))
	}
	for file, text := range map[string]string{
		"reviews.csv": "product,stars,text\na,5,a good book\nb,1,a bad one\n",
		"sales.csv":   "shop,amount\n1,2.5\n2,7\n", "shops.csv": "shop,city\n1,Oslo\n2,Bergen\n",
		"report.sql": "SELECT count(*) AS n FROM ratings WHERE year(to_timestamp(timestamp)) >= $since\n",
	} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for file, from := range map[string]string{
		"reviews-1.csv.gz": "'reviews.csv'", "trips-1.parquet": "(VALUES ('Oslo', 12.5)) t(city, fare)", "sales/year=2024/1.parquet": "(VALUES (1)) t(x)",
	} {
		try(t, dir, fmt.Sprintf(`analyzer sql --quiet "COPY (FROM %s) TO '%s'"`, from, file))
	}
	return dir
}
