package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/page"
	"analyzer/compose/cluster/protocol"
)

// TestOneOfEightClientsIsGreedy has one of eight clients take all that it gets: jobs, streams of
// events, uploads that go on, and connections. Each of the others keeps what it needs, and the greedy
// one is told how many there are, and whose.
func TestOneOfEightClientsIsGreedy(t *testing.T) {
	lengthy(t)
	t.Parallel()
	const jobs, own = 20, 6
	var tokens strings.Builder
	token := func(i int) string { return fmt.Sprintf("0123456789abcdef-of-client-%d", i) }
	for i := range 8 {
		fmt.Fprintf(&tokens, "c%d %s\n", i, token(i))
	}
	file := filepath.Join(t.TempDir(), "tokens")
	write(t, file, tokens.String())
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{
		Token: token(1), GatewayFlags: []string{"--http", address, "--token-file", file},
		WorkerFlags: []string{"--max-jobs", fmt.Sprint(jobs), "--max-client-jobs", fmt.Sprint(own)},
	})
	greedy := web{t, "http://" + address, token(0)}
	awaitPage(c, greedy)

	taken := take(c, greedy, own)
	var others sync.WaitGroup
	for i := 1; i < 8; i++ {
		others.Go(func() {
			w := web{t, greedy.base, token(i)}
			end, status, says := w.watch()
			if status != http.StatusOK {
				t.Errorf("client %d watches: status %d: %s", i, status, says)
			}
			defer end()
			r := c.Command(t.Context(), append(c.Submission("movies"), "--token", token(i))...)
			c.Exact(r, "movies")
		})
	}
	others.Wait()
	taken()
	c.Exact(c.Command(t.Context(), append(c.Submission("movies"), "--token", token(0))...), "movies")
}

// take takes as much as a client gets, checks what it is told then, and returns how to let go.
func take(c *e2e.Cluster, w web, own int) (letGo func()) {
	t := w.t
	t.Helper()
	var opened []page.Job
	for range own {
		var job page.Job
		w.want(http.StatusCreated, &job, "POST", "/v1/jobs", openJob())
		opened = append(opened, job)
	}
	status, says := w.ask("POST", "/v1/jobs", openJob())
	if want := fmt.Sprintf("c0 has %d jobs, and one client may have %d", own, own); status != http.StatusTooManyRequests || !strings.Contains(string(says), want) {
		t.Errorf("one job too many: status %d: %s", status, says)
	}
	held := append(w.watchAll(), uploadAll(t, dial(t, c), w.token))
	for range 300 { // that say nothing
		conn, err := net.Dial("tcp", c.Gateways())
		if err != nil {
			t.Fatal(err)
		}
		held = append(held, func() { _ = conn.Close() })
	}
	return func() {
		for _, end := range held {
			end()
		}
		for _, job := range opened {
			w.want(http.StatusNoContent, nil, "DELETE", "/v1/jobs/"+job.Job.String(), nil)
		}
	}
}

var shareIsTaken = regexp.MustCompile(`[1-9]\d* (streams of events|uploads) are going on here, [1-9]\d* of them yours`)

// watch begins a stream of events, and returns how to end it.
func (w web) watch() (end func(), status int, says string) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(w.t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base+"/v1/events", nil)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Authorization", protocol.BearerPrefix+w.token)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	end = func() { cancel(); _ = response.Body.Close() }
	if response.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		says = string(text)
	}
	return end, response.StatusCode, says
}

// watchAll begins streams of events until one is refused.
func (w web) watchAll() (held []func()) {
	w.t.Helper()
	for {
		end, status, says := w.watch()
		held = append(held, end)
		switch {
		case status == http.StatusServiceUnavailable && shareIsTaken.MatchString(says):
			w.t.Logf("of streams, it has %d: %s", len(held)-1, says)
			return held
		case status != http.StatusOK || len(held) > 1000:
			w.t.Fatalf("stream %d: status %d: %s", len(held), status, says)
		}
	}
}

// uploadAll begins uploads of which nothing comes until one is refused, and returns how to end them.
func uploadAll(t *testing.T, f flight.FlightServiceClient, token string) (end func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(protocol.WithToken(t.Context(), token))
	const many = 1000
	refused := make(chan error, many)
	for range many {
		stream, err := f.DoPut(ctx)
		if err != nil {
			t.Fatal(err)
		}
		go func() {
			_, err := stream.Recv()
			refused <- err
		}()
		select {
		case err := <-refused:
			if protocol.CodeOf(err) != protocol.Busy || !shareIsTaken.MatchString(err.Error()) {
				t.Errorf("an upload too many: %v", err)
			}
			t.Logf("of uploads: %v", err)
			return cancel
		default:
		}
	}
	t.Error("no upload was refused")
	return cancel
}

func openJob() io.Reader {
	return bytes.NewBufferString(`{"tables": "CREATE TABLE t (v INTEGER) FROM 't.csv'", "sql": {"q": "SELECT count(*) AS n FROM t"}, "open": true, "ttl": "10m"}`)
}
