package e2e_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/page"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets/catalog"
)

// web asks a gateway by HTTP.
type web struct {
	t     *testing.T
	base  string
	token string
}

// ask sends a request and reads its answer; headers are names and values in turn. A
// status of 0 means that there was no answer.
func (w web) ask(method, path string, body io.Reader, headers ...string) (status int, answer []byte) {
	w.t.Helper()
	return w.askWithin(w.t.Context(), method, path, body, headers...)
}

// askWithin is ask that is given up when a context ends.
func (w web) askWithin(ctx context.Context, method, path string, body io.Reader, headers ...string) (status int, answer []byte) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(ctx, method, w.base+path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", protocol.BearerPrefix+w.token)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil
	}
	defer func() { _ = response.Body.Close() }()
	if answer, err = io.ReadAll(response.Body); err != nil {
		return 0, nil
	}
	return response.StatusCode, answer
}

// want is ask that must be answered with a status, and, if there is an into, by JSON.
func (w web) want(status int, into any, method, path string, body io.Reader, headers ...string) {
	w.t.Helper()
	got, answer := w.ask(method, path, body, headers...)
	if got != status {
		w.t.Fatalf("%s %s: status %d, want %d: %s", method, path, got, status, answer)
	}
	if into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			w.t.Fatalf("%s %s: %v in %s", method, path, err, answer)
		}
	}
}

// TestUploadByHTTP uploads all data sets as curl does: tables in any order, compressed
// or not, in parts or at once, while a worker and a gateway die. The answers are those of
// a run. What is wrong, or somebody else's, is refused, and nothing else suffers.
func TestUploadByHTTP(t *testing.T) {
	lengthy(t)
	t.Parallel()
	tokens := filepath.Join(t.TempDir(), "tokens")
	ann, bob := "0123456789abcdef-of-ann", "0123456789abcdef-of-bob"
	write(t, tokens, "ann "+ann+"\nbob "+bob+"\n")
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{Token: ann, GatewayFlags: []string{"--http", address, "--token-file", tokens}})
	w := web{t, "http://" + address, ann}
	stranger := web{t, w.base, bob}
	for _, d := range catalog.All() {
		dir := c.Generated(d.Name, "0.001")
		var job page.Job
		w.want(http.StatusCreated, &job, "POST", "/v1/jobs", bytes.NewBufferString(`{"dataset": "`+d.Name+`", "block": 8192, "ttl": "5m"}`))
		tables := "/v1/jobs/" + job.Job.String() + "/tables/"
		stranger.want(http.StatusForbidden, nil, "PUT", tables+job.Tables[0], bytes.NewBufferString("a,b\n1,2\n"))
		c.Worker(1).Crash(worker.PointManifest + ":5")
		slices.Reverse(job.Tables)
		for i, name := range job.Tables {
			table, err := d.Table(name)
			if err != nil {
				t.Fatal(err)
			}
			content, err := os.ReadFile(filepath.Join(dir, table.Files[0]))
			if err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				inParts(c, w, tables+name, content)
			} else {
				w.want(http.StatusCreated, nil, "POST", tables+name, bytes.NewReader([]func(*testing.T, []byte) []byte{zipped, zstandard}[i%2](t, content)))
			}
			w.want(http.StatusOK, nil, "PUT", tables+name, bytes.NewReader(content)) // it is there already
		}
		sameAnswers(t, c, w, job, d.Name, dir, "csv")
		if d.Name == "movies" {
			sameAnswers(t, c, w, job, d.Name, dir, "parquet")
			for _, format := range []string{"json", "arrow"} {
				want := c.Command(t.Context(), "run", d.Name, dir, "--query", "q3", "--format", format)
				if got := answerOf(c, w, "/v1/jobs/"+job.Job.String(), "q3", format); want.Code != 0 || !bytes.Equal(got, want.Stdout) {
					t.Errorf("q3 as %s: %d bytes are not the %d of a run (status %d)", format, len(got), len(want.Stdout), want.Code)
				}
			}
		}
		if !c.Worker(1).WasHit() {
			t.Errorf("%s: the worker lived on", d.Name)
		}
		stranger.want(http.StatusForbidden, nil, "DELETE", "/v1/jobs/"+job.Job.String(), nil)
		w.want(http.StatusNoContent, nil, "DELETE", "/v1/jobs/"+job.Job.String(), nil)
	}
	wrongUploads(c, w)
	appended(c, w, stranger)
	c.Leftovers()
}

// inParts uploads a file in parts, in the midst of which the gateway dies. The next one
// knows where to go on.
func inParts(c *e2e.Cluster, w web, path string, content []byte) {
	w.t.Helper()
	send := func(status, from, to int) {
		w.t.Helper()
		w.want(status, nil, "PUT", path, bytes.NewReader(content[from:to]), "Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, to-1, len(content)))
	}
	offset := func() int {
		w.t.Helper()
		var at page.Table
		w.want(http.StatusOK, &at, "GET", path, nil)
		return int(at.Offset)
	}
	n := len(content)
	send(http.StatusAccepted, 0, n/3)
	c.Gateway(0).Kill()
	awaitPage(c, w)
	at := offset()
	if least := n/3 - 768<<10; at < least { // what is behind the last note
		w.t.Errorf("of %d bytes the next gateway knows of %d", n/3, at)
	}
	w.t.Logf("%s: of %d bytes %d are known", path, n/3, at)
	if at == 0 {
		send(http.StatusAccepted, 0, n/4)
		at = n / 4
	}
	send(http.StatusAccepted, at, n/2)
	send(http.StatusRequestedRangeNotSatisfiable, n/4, n/2)
	if at = offset(); at != n/2 {
		w.t.Errorf("after half of the file %d bytes are there, not %d", at, n/2)
	}
	other := bytes.Clone(content)
	other[n/4]++
	w.want(http.StatusBadRequest, nil, "PUT", path, bytes.NewReader(other)) // another file
	send(http.StatusCreated, 0, n)
}

// awaitPage waits for a gateway that is started again.
func awaitPage(c *e2e.Cluster, w web) {
	w.t.Helper()
	c.Await("the gateway's page", func() (string, bool) {
		status, _ := w.ask("GET", "/v1/jobs", nil)
		return fmt.Sprint("status ", status), status == http.StatusOK
	})
}

// appended feeds a job that stays open, as curl does whose requests are sent again until
// they are answered: a gateway and a worker die meanwhile, and each file counts once.
func appended(c *e2e.Cluster, w, stranger web) {
	w.t.Helper()
	dir := c.Generated("movies", "0.001")
	var job, cut page.Job
	w.want(http.StatusCreated, &job, "POST", "/v1/jobs", bytes.NewBufferString(`{"dataset": "movies", "open": true, "block": 8192, "ttl": "5m"}`))
	path := "/v1/jobs/" + job.Job.String()
	content := func(file string) []byte {
		text, err := os.ReadFile(file)
		if err != nil {
			w.t.Fatal(err)
		}
		return text
	}
	send := func(status int, table string, text []byte) {
		w.t.Helper()
		w.want(status, nil, "POST", path+"/tables/"+table, bytes.NewReader(text))
	}
	d, err := catalog.Find("movies", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, name := range job.Tables {
		table, err := d.Table(name)
		if err != nil {
			w.t.Fatal(err)
		}
		if name != "ratings" {
			send(http.StatusCreated, name, zipped(w.t, content(filepath.Join(dir, table.Files[0]))))
		}
	}
	parts := splitTable(w.t, filepath.Join(dir, "ratings.csv"), 2)
	first, second := content(parts[0]), content(parts[1])
	send(http.StatusUnprocessableEntity, "ratings", []byte("userId,movieId,rating,timestamp\n,,,\n")) // and the job goes on
	send(http.StatusCreated, "ratings", first)
	c.Gateway(0).Crash(gateway.PointHalfForward + ":2")
	awaitPage(c, w)
	if status, said := w.ask("POST", path+"/tables/ratings", bytes.NewReader(second)); status != 0 {
		w.t.Fatalf("a gateway that dies answers with %d: %s", status, said)
	}
	c.Await("the gateway's death", func() (string, bool) { return "it lives on", c.Gateway(0).WasHit() })
	awaitPage(c, w)
	var now page.Table
	if w.want(http.StatusOK, &now, "GET", path+"/tables/ratings", nil); !now.Half {
		w.t.Errorf("of a file that was appended in part it is said: %+v", now)
	}
	send(http.StatusConflict, "ratings", first[:len(first)/2]) // another one
	c.Worker(1).Crash(worker.PointManifest)
	send(http.StatusCreated, "ratings", second)
	send(http.StatusOK, "ratings", second)
	send(http.StatusOK, "ratings", first)
	c.Await("the worker's death", func() (string, bool) { return "it lives on", c.Worker(1).WasHit() })
	w.want(http.StatusCreated, &cut, "POST", path+"/cut", nil)
	sameAnswers(w.t, c, w, cut, "movies", dir, "csv")
	w.want(http.StatusNoContent, nil, "DELETE", "/v1/jobs/"+cut.Job.String(), nil)
	stranger.want(http.StatusForbidden, nil, "POST", path+"/close", nil)
	w.want(http.StatusOK, nil, "POST", path+"/close", nil)
	send(http.StatusConflict, "ratings", first[:len(first)/2])
	sameAnswers(w.t, c, w, job, "movies", dir, "csv")
	w.want(http.StatusNoContent, nil, "DELETE", path, nil)
}

// wrongUploads sends what no file of a table is.
func wrongUploads(c *e2e.Cluster, w web) {
	w.t.Helper()
	var job page.Job
	w.want(http.StatusBadRequest, nil, "POST", "/v1/jobs", bytes.NewBufferString(`{"dataset": "movies", "else": 1}`))
	w.want(http.StatusBadRequest, nil, "POST", "/v1/jobs", bytes.NewBufferString(`{"sql": {"q": "SELECT a FROM nobody"}}`))
	const statement = `{"tables": "CREATE TABLE t (a INTEGER, b VARCHAR) FROM 't.csv'", "sql": {"q": "SELECT b, sum(a) AS s FROM t GROUP BY b ORDER BY b"}, "ttl": "5m"}`
	w.want(http.StatusCreated, &job, "POST", "/v1/jobs", bytes.NewBufferString(statement))
	path := "/v1/jobs/" + job.Job.String()
	for name, test := range map[string]struct {
		status  int
		body    string
		headers []string
	}{
		"a table that there is not":   {http.StatusBadRequest, "a,b\n", nil},
		"other columns":               {http.StatusUnprocessableEntity, "c,d\n1,2\n", nil},
		"a range of another length":   {http.StatusBadRequest, "a,b\n1,x\n", []string{"Content-Range", "bytes 0-99/100"}},
		"a range that is none":        {http.StatusBadRequest, "a,b\n1,x\n", []string{"Content-Range", "lines 1-2"}},
		"a range behind the end":      {http.StatusBadRequest, "a,b\n1,x\n", []string{"Content-Range", "bytes 0-7/3"}},
		"a range with a gap before":   {http.StatusRequestedRangeNotSatisfiable, "a,b\n1,x\n", []string{"Content-Range", "bytes 5-12/13"}},
		"a body that is encoded":      {http.StatusBadRequest, "a,b\n1,x\n", []string{"Content-Encoding", "gzip"}},
		"a file that is cut off, .gz": {http.StatusUnprocessableEntity, string(zipped(w.t, bytes.Repeat([]byte("a,b\n1,x\n"), 99))[:40]), nil},
	} {
		table := "t"
		if name == "a table that there is not" {
			table = "u"
		}
		if got, said := w.ask("PUT", path+"/tables/"+table, bytes.NewBufferString(test.body), test.headers...); got != test.status {
			w.t.Errorf("%s: status %d, want %d: %s", name, got, test.status, said)
		}
	}
	w.want(http.StatusConflict, nil, "GET", path+"/answers/q", nil) // not there yet
	var said page.Failure
	w.want(http.StatusUnprocessableEntity, &said, "PUT", path+"/tables/t", bytes.NewBufferString("a,b\nx,1\ny,2\n"))
	if want := "2 of 2 rows are rejected: too many rejected rows: 2 not-an-int a"; !strings.Contains(said.Error, want) {
		w.t.Errorf("of a file all of whose rows are rejected it is said: %+v", said)
	}
	half := "a,b\n" + strings.Repeat("5,z\n", 1<<18) // of which a batch is sent
	w.want(http.StatusAccepted, nil, "PUT", path+"/tables/t", strings.NewReader(half), "Content-Range", fmt.Sprintf("bytes 0-%d/*", len(half)-1))
	c.Gateway(0).Kill()
	awaitPage(c, w)
	w.want(http.StatusBadRequest, nil, "PUT", path+"/tables/t", bytes.NewBufferString("a,b\n1,x\n"))
	w.want(http.StatusCreated, nil, "PUT", path+"/tables/t", strings.NewReader(half+"1,z\n"))
	if got, want := string(answerOf(c, w, path, "q", "csv")), fmt.Sprintf("b,s\nz,%d\n", 5<<18+1); got != want {
		w.t.Errorf("the answer is %q, not %q", got, want)
	}
	w.want(http.StatusNoContent, nil, "DELETE", path, nil)
	w.want(http.StatusCreated, &job, "POST", "/v1/jobs", bytes.NewBufferString(statement))
	path = "/v1/jobs/" + job.Job.String()
	w.want(http.StatusUnprocessableEntity, nil, "PUT", path+"/tables/t", bytes.NewBufferString("a,b\nx,1\ny,2\n"))
	w.want(http.StatusUnprocessableEntity, nil, "PUT", path+"/tables/t", bytes.NewBufferString("c,d\nx,1\n"))
	w.want(http.StatusCreated, nil, "PUT", path+"/tables/t", bytes.NewBufferString("a,b\n1,x\n2,y\n3,x\n"))
	if got := string(answerOf(c, w, path, "q", "csv")); got != "b,s\nx,4\ny,2\n" {
		w.t.Errorf("the answer is %q", got)
	}
	w.want(http.StatusBadRequest, nil, "GET", path+"/answers/q?format=table", nil)
	w.want(http.StatusBadRequest, nil, "GET", path+"/answers/r", nil)
	w.want(http.StatusNoContent, nil, "DELETE", path, nil)
	w.want(http.StatusGone, nil, "PUT", path+"/tables/t", bytes.NewBufferString("a,b\n"))
}

// answerOf returns an answer once it is there.
func answerOf(c *e2e.Cluster, w web, path, query, format string) (answer []byte) {
	w.t.Helper()
	c.Await("the answer to "+query, func() (string, bool) {
		var status int
		status, answer = w.ask("GET", path+"/answers/"+query+"?format="+format, nil)
		return fmt.Sprintf("status %d: %s", status, answer), status == http.StatusOK
	})
	return answer
}

// sameAnswers holds the answers of a job to those of a run.
func sameAnswers(t *testing.T, c *e2e.Cluster, w web, job page.Job, dataset, dir, format string) {
	t.Helper()
	to := t.TempDir()
	if r := c.Command(t.Context(), "run", dataset, dir, "--format", format, "--output", to); r.Code != 0 {
		t.Fatalf("run: status %d\n%s", r.Code, r.Stderr)
	}
	for _, a := range job.Answers {
		want, err := os.ReadFile(filepath.Join(to, a.Query+"."+format))
		if err != nil {
			t.Fatal(err)
		}
		if got := answerOf(c, w, "/v1/jobs/"+job.Job.String(), a.Query, format); !bytes.Equal(got, want) {
			t.Errorf("%s %s as %s: %d bytes are not the %d of a run", dataset, a.Query, format, len(got), len(want))
		}
	}
}

func zstandard(t *testing.T, content []byte) []byte {
	t.Helper()
	z, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = z.Close() }() // it wrote to no file
	return z.EncodeAll(content, nil)
}

func zipped(t *testing.T, content []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if _, err := z.Write(content); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
