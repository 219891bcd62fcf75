package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"

	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
	"analyzer/process/stranger"
)

// startFor serves a page as a gateway does that nobody has a token of.
func startFor(t testing.TB) (address string) {
	t.Helper()
	nobody := func(context.Context, []string) (context.Context, error) {
		return nil, protocol.Errorf(protocol.NoToken, "the token is not known here")
	}
	s, err := monitor.Start("127.0.0.1:0", monitor.Config{
		Ready: func() error { return errors.New("a secret") }, Door: monitor.Door{Admit: nobody}, Member: "0123456789abcdef",
		Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(Config{Enter: s.Enter, Workers: 2, Memory: 64 << 20, Log: slog.New(slog.DiscardHandler), Dial: func(context.Context) (net.Conn, error) {
		t.Error("the gateway was asked")
		return nil, errors.New("there is no gateway")
	}})
	if err != nil {
		t.Fatal(err)
	}
	s.HandleInside("GET /cluster", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a secret") }))
	s.Handle("/", p)
	s.Complete()
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	})
	return s.Addr()
}

// FuzzStranger sends any bytes to the address of health, metrics, the page and the interface
// below /v1. Nothing that is inside comes back, and what the bytes cost is bounded.
func FuzzStranger(f *testing.F) {
	for _, path := range []string{"/", "/healthz", "/readyz", "/metrics", "/cluster?own", "/load", "/page/main.js", "/v1/jobs", "/v1/events", "*", "//..%2f/%00", "http://x/metrics"} {
		f.Add([]byte("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n"))
	}
	for _, headers := range []string{
		"Content-Length: 20\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 9\r\nContent-Length: 8\r\n", "Expect: 100-continue\r\nContent-Length: 9\r\n",
		"Authorization: Bearer \r\n", "Authorization: Bearer x\r\nAuthorization: Bearer y\r\n", "Origin: http://y\r\n", "Upgrade: h2c\r\nConnection: Upgrade\r\n",
		strings.Repeat("A: b\r\n", 5000), "A: " + strings.Repeat("b", 60<<10) + "\r\n",
	} {
		f.Add([]byte("POST /v1/jobs HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n{\"statements\": \"select 1\"}"))
	}
	f.Add([]byte("GET /" + strings.Repeat("a/", 100<<10) + " HTTP/1.1\r\nHost: x\r\n\r\n"))
	f.Add(bytes.Repeat([]byte("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"), 100))
	f.Add([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
	f.Add([]byte{22, 3, 1, 0, 5, 1, 0, 0, 1, 3})
	address := startFor(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		if answer := stranger.Send(t, address, sent); bytes.Contains(answer, []byte("a secret")) || bytes.Contains(answer, []byte("go_goroutines")) {
			t.Errorf("%.200q is told %.500q", sent, answer)
		}
	})
}

// FuzzStrangersRequest asks for any path by any method with any body, and no token.
func FuzzStrangersRequest(f *testing.F) {
	job := protocol.NewJobID().String()
	f.Add("POST", "/v1/jobs", "", `{"dataset": "movies", "queries": ["q3"]}`)
	f.Add("PUT", "/v1/jobs/"+job+"/tables/t?append=1", "bytes 0-1/2", "ab")
	f.Add("DELETE", "/v1/jobs/"+job, "", "")
	f.Add("GET", "/v1/jobs/"+job+"/answers/q?format=csv&rows=-1", "", "")
	address := startFor(f)
	f.Fuzz(func(t *testing.T, method, path, part, body string) {
		if strings.ContainsAny(method+path+part, "\r\n") { // FuzzStranger has these
			t.Skip()
		}
		sent := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: x\r\nContent-Range: %s\r\nContent-Length: %d\r\n\r\n%s", method, path, part, len(body), body)
		answer := stranger.Send(t, address, []byte(sent))
		if below := strings.HasPrefix(path, "/v1/"); below && bytes.HasPrefix(answer, []byte("HTTP/1.1 2")) {
			t.Errorf("%.200q is answered %.500q", sent, answer)
		}
	})
}
