package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTour runs the commands of the tour in a copy of the samples, and holds what stands below each
// to what it prints; -update writes it.
func TestTour(t *testing.T) {
	page, err := filepath.Abs("../../docs/tour.md")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "samples"), os.DirFS("../../datasets/catalog/movies/samples")); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, name)) // see TestMain
	}
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```console\n.*?```\n")
	printed := block.ReplaceAllFunc(text, func(block []byte) []byte {
		var out bytes.Buffer
		out.WriteString("```console\n")
		for line := range strings.Lines(string(block)) {
			command, ok := strings.CutPrefix(line, "$ ")
			if !ok {
				continue
			}
			cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
			cmd.Dir = filepath.Join(dir, "samples")
			cmd.Env = []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + dir, "TMPDIR=" + dir}
			said, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%s%v\n%s", command, err, said)
			}
			out.WriteString(line)
			out.Write(timeless(said))
		}
		out.WriteString("```\n")
		return out.Bytes()
	})
	if bytes.Equal(printed, text) {
		return
	}
	if !*update {
		t.Fatalf("%s says something else than the program; go test ./cmd/analyzer -run Tour -update mends it:\n%s", page, printed)
	}
	if err := os.WriteFile(page, printed, 0o644); err != nil {
		t.Fatal(err)
	}
}

// timeless drops the line that says how long a command took, and spaces at the ends of lines.
func timeless(said []byte) []byte {
	said = regexp.MustCompile(`(?m)^.* peak memory .*\n`).ReplaceAll(said, nil)
	return regexp.MustCompile(`(?m) +$`).ReplaceAll(said, nil)
}

// TestSite wants every page of the documentation to be beside the others on the site.
func TestSite(t *testing.T) {
	site, err := os.ReadFile("../../docs/site/hugo.toml")
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 10 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		if name := strings.TrimSuffix(filepath.Base(page), ".md"); !bytes.Contains(site, []byte("'/"+name+"'")) {
			t.Errorf("docs/site/hugo.toml does not name /%s", name)
		}
	}
}
