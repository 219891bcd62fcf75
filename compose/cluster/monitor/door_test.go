package monitor

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/protocol"
)

const (
	annToken    = "ann-0123456789abcdef"
	memberToken = "member-0123456789abcdef"
)

// startWithTokens starts a server that ann and other members may look into, and whose process
// cannot work.
func startWithTokens(t *testing.T) *Server {
	t.Helper()
	s, err := Start("127.0.0.1:0", Config{
		Ready: func() error { return errors.New("the broker is away") },
		Door: Door{
			Admit: func(ctx context.Context, shown []string) (context.Context, error) {
				if len(shown) == 1 && shown[0] == protocol.BearerPrefix+annToken {
					return ctx, nil
				}
				return nil, protocol.Errorf(protocol.NoToken, "the token is not known here")
			},
			Owner: func(context.Context) string { return "ann" },
		},
		Member: memberToken, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	s.HandleInside("GET /cluster", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "nodes") }))
	s.Complete()
	return s
}

// send writes a request, leaves the connection open, and returns the answer's status and body.
func send(t *testing.T, s *Server, request string) (status int, body string) {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }() // it was answered
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// TestStrangersSeeNothing asks everything with and without tokens, and leaves out the body that
// some of the requests announce.
func TestStrangersSeeNothing(t *testing.T) {
	s := startWithTokens(t)
	for path, want := range map[string]struct {
		inside, outside int
		secret          string // what strangers are not told
	}{
		"/healthz": {200, 200, ""},
		"/readyz":  {503, 503, "the broker is away"},
		"/metrics": {200, 401, "go_goroutines"},
		"/cluster": {200, 401, "nodes"},
		"/absent":  {404, 404, ""},
	} {
		for token, inside := range map[string]bool{"": false, annToken + "x": false, memberToken + "x": false, annToken: true, memberToken: true} {
			for _, body := range []string{"", "Content-Length: 1000\r\n", "Transfer-Encoding: chunked\r\n"} {
				shown := ""
				if token != "" {
					shown = "Authorization: " + protocol.BearerPrefix + token + "\r\n"
				}
				began := time.Now()
				status, text := send(t, s, fmt.Sprintf("GET %s HTTP/1.1\r\nHost: x\r\n%s%s\r\n", path, shown, body))
				wanted := want.outside
				if inside {
					wanted = want.inside
				}
				if told := want.secret != "" && strings.Contains(text, want.secret); status != wanted || told != (inside && want.secret != "") {
					t.Errorf("%s, token %q: status %d, %.80q", path, token, status, text)
				}
				if took := time.Since(began); took > patience/2 {
					t.Errorf("%s, %q: answered after %v", path, body, took)
				}
			}
		}
	}
}

// TestStarting asks for what a process will serve once it has started.
func TestStarting(t *testing.T) {
	s, err := Start("127.0.0.1:0", Config{Ready: func() error { return nil }, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }() // it has answered
	for _, request := range []string{"GET /v1/jobs", "POST /v1/jobs", "GET /cluster", "GET /"} {
		conn, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(conn, request+" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") // reading fails, too
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		if response.StatusCode != http.StatusServiceUnavailable || response.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s, to be tried again after %q", request, response.Status, response.Header.Get("Retry-After"))
		}
		_ = response.Body.Close()
		_ = conn.Close()
	}
	s.Handle("GET /v1/jobs", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "none") }))
	s.Complete()
	for path, want := range map[string]int{"/v1/jobs": http.StatusOK, "/v1/job": http.StatusNotFound} {
		if status, _ := send(t, s, "GET "+path+" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"); status != want {
			t.Errorf("%s: %d, want %d", path, status, want)
		}
	}
}

// TestIdleConnections opens more connections than there are places, on some of which half a
// request comes, while others ask.
func TestIdleConnections(t *testing.T) {
	s := startWithTokens(t)
	var idle []net.Conn
	for i := range 600 {
		conn, err := net.Dial("tcp", s.Addr())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		idle = append(idle, conn)
		if i%2 == 0 {
			_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: ") // it may have been hung up on
		}
		if i%60 == 0 || i > 590 {
			if status, _ := send(t, s, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); status != http.StatusOK {
				t.Errorf("after %d connections: %d", i, status)
			}
			ctx := WithToken(t.Context(), annToken)
			if err := Get(ctx, "http://"+s.Addr()+"/metrics", func(io.Reader) error { return nil }); err != nil {
				t.Errorf("after %d connections: %v", i, err)
			}
		}
	}
	open := 0
	for _, conn := range idle {
		_ = conn.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		if _, err := conn.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
			open++
		}
	}
	if open > maxConnections/8 {
		t.Errorf("%d strangers have a place, want %d at most", open, maxConnections/8)
	}
}
