package e2e_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/page"
)

// TestCurlLinesOfPages sends what the pages have curl send to a gateway, line by line. Answers must be
// those of a run.
func TestCurlLinesOfPages(t *testing.T) {
	t.Parallel()
	tokens := filepath.Join(t.TempDir(), "tokens")
	ann := "0123456789abcdef-of-ann"
	write(t, tokens, "ann "+ann+"\n")
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{Token: ann, GatewayFlags: []string{"--http", address, "--token-file", tokens}})
	w := web{t, "http://" + address, ann}
	dir := c.Generated("movies", "0.001")
	files, some := t.TempDir(), t.TempDir() // in some there are fewer ratings
	for _, name := range []string{"movies_metadata.csv", "credits.csv", "ratings.csv"} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(files, name), string(text))
		if name == "ratings.csv" {
			write(t, filepath.Join(files, "ratings.csv.gz"), string(zipped(t, text)))
			text = text[:bytes.LastIndexByte(text[:len(text)/2], '\n')+1]
			write(t, filepath.Join(files, "more.csv"), string(text))
		}
		write(t, filepath.Join(some, name), string(text))
	}
	answer := func(dir string) []byte {
		r := c.Command(t.Context(), "run", "movies", dir, "--query", "q3", "--format", "csv")
		if r.Code != 0 || bytes.Count(r.Stdout, []byte("\n")) < 2 {
			t.Fatalf("run: status %d\n%s\n%s", r.Code, r.Stdout, r.Stderr)
		}
		return r.Stdout
	}
	want := map[bool][]byte{false: answer(dir), true: answer(some)}
	if bytes.Equal(want[false], want[true]) {
		t.Fatal("fewer ratings do not change the answer")
	}
	for _, file := range []string{"operate.md", "openapi.yaml"} {
		text, err := os.ReadFile(filepath.Join("../../../docs", file))
		if err != nil {
			t.Fatal(err)
		}
		r := curlReader{web: w, dir: files}
		lines := regexp.MustCompile(`(?m)^ +curl (-.*?)(?: +#.*)?$`).FindAllSubmatch(text, -1)
		if len(lines) < 4 {
			t.Fatalf("%s has %d lines with curl", file, len(lines))
		}
		for _, line := range lines {
			r.line(c, string(line[1]), want)
		}
	}
}

// curlReader does what lines with curl say, of which it knows -H, -d, -T, -X and --data-binary.
type curlReader struct {
	web
	dir      string
	job, cut string // as the gateway has answered
}

// line does what a line says. want has the answers of jobs, and of their cuts.
func (r *curlReader) line(c *e2e.Cluster, line string, want map[bool][]byte) {
	r.t.Helper()
	method, url, body, opens := "GET", "", io.Reader(nil), strings.Contains(line, `"open"`)
	content := func(file string) io.Reader {
		text, err := os.ReadFile(filepath.Join(r.dir, file))
		if err != nil {
			r.t.Fatalf("curl %s\n%v", line, err)
		}
		return bytes.NewReader(text)
	}
	words := r.words(line)
	for len(words) > 0 {
		word := words[0]
		words = words[1:]
		if !strings.HasPrefix(word, "-") {
			url = word
			continue
		}
		value := words[0]
		words = words[1:]
		switch word {
		case "-H":
			if value != "Authorization: Bearer "+r.token {
				r.t.Errorf("curl %s: the header is %q", line, value)
			}
		case "-X":
			method = value
		case "-T":
			method, body = "PUT", content(value)
		case "-d":
			method, body = "POST", strings.NewReader(value)
		case "--data-binary":
			method, body = "POST", content(strings.TrimPrefix(value, "@"))
		default:
			r.t.Fatalf("curl %s: this test does not know %s", line, word)
		}
	}
	path, ok := strings.CutPrefix(url, r.base)
	if !ok {
		r.t.Fatalf("curl %s: %s is not at the gateway", line, url)
	}
	var answered page.Job
	if _, query, ok := strings.Cut(path, "/answers/"); ok {
		query, format, _ := strings.Cut(query, "?format=")
		got := answerOf(c, r.web, strings.TrimSuffix(path, "/answers/"+query+"?format="+format), query, format)
		if want := want[r.cut != ""]; !bytes.Equal(got, want) {
			r.t.Errorf("curl %s\n%s\nis not what run says\n%s", line, got, want)
		}
		return
	}
	status, said := r.ask(method, path, body, "Content-Type", "application/x-www-form-urlencoded")
	if status != http.StatusCreated && status != http.StatusOK {
		r.t.Fatalf("curl %s\nstatus %d: %s", line, status, said)
	}
	if strings.HasSuffix(path, "/jobs") || strings.HasSuffix(path, "/cut") {
		if err := json.Unmarshal(said, &answered); err != nil {
			r.t.Fatalf("curl %s\n%v in %s", line, err, said)
		}
	}
	switch {
	case strings.HasSuffix(path, "/cut"):
		r.cut = answered.Job.String()
	case strings.HasSuffix(path, "/jobs"):
		r.job = answered.Job.String()
	}
	if opens { // no other line sends the tables that come first
		r.want(http.StatusCreated, nil, "POST", path+"/"+r.job+"/tables/movies", content("movies_metadata.csv"))
		r.want(http.StatusCreated, nil, "POST", path+"/"+r.job+"/tables/credits", content("credits.csv"))
	}
}

// words splits a line as a shell does.
func (r *curlReader) words(line string) []string {
	r.t.Helper()
	line = strings.NewReplacer("http://GATEWAY", r.base, "/JOB/", "/"+r.job+"/", "/CUT/", "/"+r.cut+"/").Replace(line)
	shell := exec.CommandContext(r.t.Context(), "sh", "-c", "for word in "+line+`; do printf '%s\n' "$word"; done`)
	shell.Env = append(os.Environ(), "H=Authorization: Bearer "+r.token)
	out, err := shell.Output()
	if err != nil {
		r.t.Fatalf("curl %s\n%v", line, err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
