package page

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newPage is of a gateway that nobody can reach.
func newPage(t *testing.T, tokens bool) *Page {
	t.Helper()
	cfg := Config{Dial: unreachable}
	if tokens {
		cfg.Enter, cfg.Owner = everybody, func(context.Context) string { return "ann" }
	}
	return newPageOf(t, cfg)
}

// everybody admits all callers.
func everybody(r *http.Request) (context.Context, error) { return r.Context(), nil }

func unreachable(context.Context) (net.Conn, error) { return nil, errors.New("there is no gateway") }

func newPageOf(t *testing.T, cfg Config) *Page {
	t.Helper()
	cfg.Workers, cfg.Memory, cfg.Log = 2, 64<<20, slog.New(slog.DiscardHandler)
	p, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

// TestWhoMayAsk asks as monitor.Door lets callers in, and lets no page of another site ask.
func TestWhoMayAsk(t *testing.T) {
	for _, test := range []struct {
		tokens             bool
		from, host, origin string
		asked              bool
		tls                bool
	}{
		{true, "192.0.2.1:1", "example.org", "", false, true}, // in the clear
		{true, "127.0.0.1:1", "example.org", "", true, true},
		{false, "127.0.0.1:1", "127.0.0.1:9090", "", true, false},
		{false, "[::1]:1", "localhost:9090", "", true, false},
		{false, "127.0.0.1:1", "[::1]:9090", "http://[::1]:9090", true, false},
		{false, "192.0.2.1:1", "127.0.0.1:9090", "", false, false},
		{false, "127.0.0.1:1", "example.org", "", false, false},
		{false, "127.0.0.1:1", "127.0.0.1:9090", "http://example.org", false, false},
		{true, "192.0.2.1:1", "example.org", "", true, false},
		{true, "192.0.2.1:1", "example.org", "http://example.com", false, false},
	} {
		door := monitor.Door{TLS: test.tls}
		if test.tokens {
			door.Admit = func(ctx context.Context, _ []string) (context.Context, error) { return ctx, nil }
		}
		p := newPageOf(t, Config{Dial: unreachable, Enter: door.Enter})
		asked := false
		guarded := p.guarded(func(http.ResponseWriter, *http.Request) error { asked = true; return nil })
		r := httptest.NewRequest(http.MethodDelete, "/v1/jobs/x", nil)
		r.RemoteAddr, r.Host = test.from, test.host
		if test.origin != "" {
			r.Header.Set("Origin", test.origin)
		}
		w := httptest.NewRecorder()
		guarded.ServeHTTP(w, r)
		if asked != test.asked || !asked && (w.Code < 400 || w.Code >= 500) {
			t.Errorf("%+v: asked: %v, status %d", test, asked, w.Code)
		}
	}
}

// TestTokenFirst sends each route the headers of a request without a token, or with a wrong
// one, and never the body. Each is refused at once, and the gateway hears nothing of it.
func TestTokenFirst(t *testing.T) {
	const token = "ann-0123456789abcdef"
	door := monitor.Door{Admit: func(ctx context.Context, shown []string) (context.Context, error) {
		if slices.Equal(shown, []string{protocol.BearerPrefix + token}) {
			return ctx, nil
		}
		return nil, protocol.Errorf(protocol.NoToken, "the token is not known here")
	}}
	server, err := monitor.Start("127.0.0.1:0", monitor.Config{Ready: func() error { return nil }, Door: door, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = server.Close() }() // it has answered
	p := newPageOf(t, Config{Enter: server.Enter, Dial: func(context.Context) (net.Conn, error) {
		t.Error("the gateway was asked")
		return nil, errors.New("there is no gateway")
	}})
	server.Handle("/", p)
	job := protocol.NewJobID().String()
	for _, route := range p.routes() {
		address := strings.NewReplacer("{job}", job, "{table}", "t", "{query}", "q").Replace(route.pattern)
		for _, shown := range []string{"", "Authorization: " + protocol.BearerPrefix + token + "x\r\n", "Authorization: " + token + "\r\n"} {
			for _, body := range []string{"Content-Length: 1000", "Content-Length: 100000000", "Transfer-Encoding: chunked"} {
				conn, err := net.Dial("tcp", server.Addr())
				if err != nil {
					t.Fatal(err)
				}
				_ = conn.SetDeadline(time.Now().Add(time.Minute)) // it would wait for ever
				_, err = io.WriteString(conn, address+" HTTP/1.1\r\nHost: x\r\n"+shown+body+"\r\n\r\n")
				status := ""
				if err == nil {
					status, err = bufio.NewReader(conn).ReadString('\n')
				}
				if !strings.Contains(status, " 401 ") {
					t.Errorf("%s, %q, %s: %q, %v", address, shown, body, status, err)
				}
				_ = conn.Close()
			}
		}
	}
}

// TestMisdirected refuses what no route takes as everything else is refused: with a Failure.
func TestMisdirected(t *testing.T) {
	p := newPage(t, true)
	job := "/v1/jobs/" + protocol.NewJobID().String()
	for address, want := range map[string]struct {
		status int
		allow  string
	}{
		"PUT /v1/jobs":                   {http.StatusMethodNotAllowed, "GET, POST"},
		"FOO " + job:                     {http.StatusMethodNotAllowed, "GET, DELETE"},
		"GET " + job + "/cut":            {http.StatusMethodNotAllowed, "POST"},
		"DELETE " + job + "/tables/t":    {http.StatusMethodNotAllowed, "GET, POST, PUT"},
		"GET /v1/":                       {http.StatusNotFound, ""},
		"GET /v1/jobs/":                  {http.StatusNotFound, ""},
		"POST " + job + "/cut/elsewhere": {http.StatusNotFound, ""},
	} {
		method, path, _ := strings.Cut(address, " ")
		w := httptest.NewRecorder()
		p.ServeHTTP(w, httptest.NewRequest(method, path, nil))
		var f Failure
		err := json.Unmarshal(w.Body.Bytes(), &f)
		if w.Code != want.status || w.Header().Get("Allow") != want.allow || err != nil || f.Code != protocol.Refused || f.Next == "" {
			t.Errorf("%s: status %d, allowed %q, %+v, %v", address, w.Code, w.Header().Get("Allow"), f, err)
		}
	}
}

// TestAttachment has names of queries that could be taken for more than a name.
func TestAttachment(t *testing.T) {
	for _, name := range []string{"q1.csv", `a"; filename="evil.html.csv`, `back\slash.csv`, "größte.csv", "a;b=c.csv"} {
		kind, parameters, err := mime.ParseMediaType(attachment(name))
		if err != nil || kind != "attachment" || len(parameters) != 1 || parameters["filename"] != name {
			t.Errorf("%q is sent as %q, which means %q %q, %v", name, attachment(name), kind, parameters, err)
		}
	}
}

// TestAssets holds the page to its own policy: it names nothing but its files, and has
// no script or style that stands in it.
func TestAssets(t *testing.T) {
	p := newPage(t, true)
	get := func(path string, header ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		if len(header) > 0 {
			r.Header.Set(header[0], header[1])
		}
		w := httptest.NewRecorder()
		p.ServeHTTP(w, r)
		return w
	}
	index := get("/")
	if policy := index.Header().Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") {
		t.Errorf("policy %q", policy)
	}
	seen := map[string]bool{"/": true}
	for look := []string{"/"}; len(look) > 0; look = look[1:] {
		w := get(look[0])
		if w.Code != http.StatusOK || w.Header().Get("Content-Type") == "" || w.Body.Len() == 0 {
			t.Errorf("%s: status %d, %q", look[0], w.Code, w.Header())
		}
		if again := get(look[0], "If-None-Match", w.Header().Get("ETag")); again.Code != http.StatusNotModified {
			t.Errorf("%s: asked again, status %d", look[0], again.Code)
		}
		text := w.Body.String()
		if m := regexp.MustCompile(`https?://[^ "'\x60]*|style="|onclick="`).FindString(strings.ReplaceAll(text, "http://www.w3.org/2000/svg", "")); m != "" {
			t.Errorf("%s has %s", look[0], m)
		}
		for _, m := range regexp.MustCompile(`"(?:/page|\.)/([a-z]+\.[a-z]+)"`).FindAllStringSubmatch(text, -1) {
			if name := "/page/" + m[1]; !seen[name] {
				seen[name] = true
				look = append(look, name)
			}
		}
	}
	if len(seen) != len(assets()) {
		t.Errorf("of %d files %d are used", len(assets()), len(seen))
	}
	if w := get("/page/nothing.js"); w.Code != http.StatusNotFound {
		t.Errorf("a file that there is not: status %d", w.Code)
	}
}

// TestFailures has every code of the protocol mean something here.
func TestFailures(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "../protocol/errors.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	codes := 0
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		value, ok := spec.Values[0].(*ast.BasicLit)
		if kind, isIdent := spec.Type.(*ast.Ident); !ok || !isIdent || kind.Name != "Code" {
			return true
		}
		text, err := strconv.Unquote(value.Value)
		if err != nil {
			t.Fatal(err)
		}
		codes++
		status, f := failureOf(protocol.Errorf(protocol.Code(text), "why"))
		if status < 400 || status == http.StatusInternalServerError || f.Error != "why" || f.Next == "" {
			t.Errorf("%s: status %d, %+v", text, status, f)
		}
		return true
	})
	if codes < 10 {
		t.Errorf("only %d codes were found", codes)
	}
	p := newPage(t, true)
	w := httptest.NewRecorder()
	p.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/jobs/nothing", nil))
	var said Failure
	if err := json.Unmarshal(w.Body.Bytes(), &said); err != nil || w.Code != http.StatusNotFound || said.Code != protocol.NoJob || said.Next == "" {
		t.Errorf("a job that is none: status %d, %s", w.Code, w.Body)
	}
}
