package e2e_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/page"
)

// TestUploadByHTTPTakesLittleMemory sends long rows to a gateway of little memory, at once
// and byte by byte, to a table and as what is appended, while others begin what they do
// not end. It takes no more memory for that, and who submits meanwhile does not notice.
func TestUploadByHTTPTakesLittleMemory(t *testing.T) {
	lengthy(t)
	t.Parallel()
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{Memory: smallMemory, GatewayFlags: []string{"--http", address}})
	w := web{t, "http://" + address, ""}
	awaitPage(c, w)
	short, long := strings.Repeat("1,a short one\n", 1<<17), strings.Repeat("2,"+strings.Repeat("x", 2<<20)+"\n", 6)
	content := "a,b\n" + short + long + short
	var all int
	for line := range strings.Lines(content[4:]) {
		all += len(line) - len("1,\n")
	}
	for _, open := range []bool{false, true} {
		var job page.Job
		w.want(http.StatusCreated, &job, "POST", "/v1/jobs", bytes.NewBufferString(fmt.Sprintf(`{
			"tables": "CREATE TABLE t (a INTEGER, b VARCHAR) FROM 't.csv'", "open": %v, "ttl": "5m",
			"sql": {"q": "SELECT sum(length(b)) AS n FROM t", "long": "SELECT a, max(b) AS m FROM t WHERE a = 2 GROUP BY a"}}`, open)))
		path := "/v1/jobs/" + job.Job.String()
		table := path + "/tables/t"
		begin(t, address, table, "Content-Length: 1000000000000\r\n\r\na,b\n1")() // and its client is gone
		for range 32 {
			defer begin(t, address, "/v1/jobs/00112233445566778899aabbccddeeff/tables/t", "Content-Length: 1000000000000\r\n\r\na,b\n1")()
			defer begin(t, address, table, "Content-Le")()
		}
		last := len(content) - 1
		c.Await("the end of who began", func() (string, bool) {
			status, said := w.ask("PUT", table, strings.NewReader(content[:8]), "Content-Range", fmt.Sprintf("bytes 0-7/%d", last+1))
			return fmt.Sprintf("status %d: %s", status, said), status == http.StatusAccepted
		})
		body, slowly := io.Pipe()
		go func() {
			for _, b := range []byte(content[8 : 4<<10]) {
				_, _ = slowly.Write([]byte{b})
			}
			_, err := io.WriteString(slowly, content[4<<10:])
			_ = slowly.CloseWithError(err)
		}()
		w.want(http.StatusCreated, nil, "PUT", table, body, "Content-Range", fmt.Sprintf("bytes 8-%d/%d", last, last+1))
		c.Exact(c.Submit(t.Context(), "movies"), "movies")
		if open {
			w.want(http.StatusOK, nil, "POST", path+"/close", nil)
		}
		if got, want := string(answerOf(c, w, path, "q", "csv")), fmt.Sprintf("n\n%d\n", all); got != want {
			t.Errorf("the answer is %q, not %q", got, want)
		}
		w.want(http.StatusNoContent, nil, "DELETE", path, nil)
	}
	modest(t, c.Gateway(0))
	c.Leftovers()
}

// begin sends the beginning of a request, and returns what hangs up.
func begin(t *testing.T, address, path, text string) (end func()) {
	t.Helper()
	conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, "PUT "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n"+text); err != nil {
		t.Fatal(err)
	}
	return func() { _ = conn.Close() }
}
