// Package page is what a gateway serves to browsers and to programs that speak HTTP: a page
// for watching jobs, and the API below /v1 that the page uses.
//
// It runs in the gateway's process, but is a client of the gateway like any other: it passes
// on the caller's token, and the gateway decides who may see what. It asks for news only
// while somebody looks, so it costs nothing when nobody does.
package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/quota"
)

// Config says which gateway a page belongs to, and what it may use.
type Config struct {
	// Dial connects to the page's gateway.
	Dial func(ctx context.Context) (net.Conn, error)
	// Enter decides by the headers of a request whether its caller may ask, and returns the
	// context for what is done for it.
	Enter func(r *http.Request) (context.Context, error)
	// Owner returns whom Enter has returned a context for; nil: the gateway asks for no tokens,
	// so that callers cannot be told apart.
	Owner func(ctx context.Context) string
	// Workers is how many workers take part in new jobs.
	Workers int
	// Memory is how many bytes of memory uploads may take.
	Memory int64
	// Files keeps files that are appended to a job until they have arrived completely, each
	// in a directory of its own below Dir ("": the system's).
	Files vfs.FS
	Dir   string
	// Load reports the nodes of the cluster; nil: this process knows only which workers answer.
	Load func(ctx context.Context) load.Report
	Log  *slog.Logger
}

// Page answers requests. New makes one; the caller closes it once no request is being served.
type Page struct {
	cfg     Config
	client  *client.Client
	mux     *http.ServeMux
	foreign *http.CrossOriginProtection

	uploads  *uploads
	watchers *quota.Quota        // a place for each stream of events
	planning *semaphore.Weighted // one unit for each request whose statements are bound
	stop     context.Context
	cancel   context.CancelFunc

	mu     sync.Mutex // held while nodes are asked; guards nodes and looked
	nodes  load.Report
	looked time.Time
}

const (
	// patience bounds the wait for workers that do not answer. It is short, since somebody is
	// looking at the page meanwhile.
	patience    = 3 * time.Second
	maxWatchers = 64
	itself      = "here" // the gateway, in notices
)

// New returns the page of a gateway. It connects on the first request.
func New(cfg Config) (*Page, error) {
	looking, err := cfg.connect(patience)
	if err != nil {
		return nil, err
	}
	sending, err := cfg.connect(client.DefaultPatience)
	if err != nil {
		return nil, errors.Join(err, looking.Close())
	}
	p := &Page{
		cfg: cfg, client: looking, mux: http.NewServeMux(), foreign: http.NewCrossOriginProtection(),
		watchers: quota.New("streams of events", maxWatchers, cfg.Owner != nil, nil), planning: semaphore.NewWeighted(protocol.MaxPlanning),
	}
	p.stop, p.cancel = context.WithCancel(context.Background())
	p.uploads = newUploads(p.stop, cfg, sending)
	for _, r := range p.routes() {
		p.mux.Handle(r.pattern, p.guarded(r.serve))
	}
	p.mux.Handle(elsewhere, p.guarded(p.misdirected))
	for address, serve := range assets() {
		p.mux.HandleFunc("GET "+address, serve)
	}
	return p, nil
}

// connect returns a client of the gateway, which connects on first use.
func (cfg Config) connect(patience time.Duration) (*client.Client, error) {
	dial := func(ctx context.Context, _ string) (net.Conn, error) { return cfg.Dial(ctx) }
	c, err := client.New(client.Config{
		Gateways: []string{itself}, Patience: patience, Options: []grpc.DialOption{grpc.WithContextDialer(dial)},
	})
	if err != nil {
		return nil, fmt.Errorf("make the page: %w", err)
	}
	return c, nil
}

// Stop ends uploads that are under way.
func (p *Page) Stop() { p.cancel() }

// Close ends the page and frees what it holds.
func (p *Page) Close() error {
	p.cancel()
	return errors.Join(p.uploads.close(), p.client.Close())
}

// route is one route below /v1.
type route struct {
	pattern string // as of http.ServeMux
	serve   handler
}

// handler answers a request. The caller is told the error that it returns.
type handler func(w http.ResponseWriter, r *http.Request) error

func (p *Page) routes() []route {
	return []route{
		{"GET /v1/jobs", p.list},
		{"POST /v1/jobs", p.open},
		{"GET /v1/jobs/{job}", p.about(p.show)},
		{"DELETE /v1/jobs/{job}", p.end},
		{"POST /v1/jobs/{job}/cut", p.about(p.cut)},
		{"POST /v1/jobs/{job}/close", p.about(p.close)},
		{"GET /v1/jobs/{job}/tables/{table}", p.aboutTable(p.progress)},
		{"POST /v1/jobs/{job}/tables/{table}", p.aboutTable(p.upload)},
		{"PUT /v1/jobs/{job}/tables/{table}", p.aboutTable(p.upload)},
		{"GET /v1/jobs/{job}/answers/{query}", p.about(p.answer)},
		{"GET /v1/jobs/{job}/events", p.about(p.watchJob)},
		{"GET /v1/events", p.watchAll},
	}
}

// ServeHTTP answers a request.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	// The page loads nothing from elsewhere, and sends nothing elsewhere.
	h.Set("Content-Security-Policy", "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	p.mux.ServeHTTP(w, r)
}

// caller is the writer to a caller, who may take any time for the whole answer, but only
// pieceTime for each piece.
type caller struct {
	http.ResponseWriter
	control *http.ResponseController
	begun   bool // some of the answer was written
}

// pieceTime is how long a caller may take to read one piece of an answer, or to send one
// piece of a request.
const pieceTime = 30 * time.Second

// patient removes the limit on how long a request may take as a whole.
func patient(w http.ResponseWriter, r *http.Request) *caller {
	control := http.NewResponseController(w)
	if r.ContentLength == 0 { // without a body, a read deadline would end the request
		_ = control.SetReadDeadline(time.Time{})
	}
	return &caller{ResponseWriter: w, control: control}
}

func (c *caller) WriteHeader(status int) {
	_ = c.control.SetWriteDeadline(time.Now().Add(pieceTime)) // a writer without deadlines needs none
	c.ResponseWriter.WriteHeader(status)
}

func (c *caller) Write(b []byte) (int, error) {
	c.begun = true
	_ = c.control.SetWriteDeadline(time.Now().Add(pieceTime))
	return c.ResponseWriter.Write(b)
}

// Unwrap implements the interface that http.ResponseController looks for.
func (c *caller) Unwrap() http.ResponseWriter { return c.ResponseWriter }

//go:embed static
var static embed.FS

// assets returns handlers for the page's files, by path. Browsers cache the files, and ask
// whether they have changed.
func assets() map[string]http.HandlerFunc {
	kinds := map[string]string{ // fixed here, since machines differ in them
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
		".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	}
	out := make(map[string]http.HandlerFunc)
	entries, err := static.ReadDir("static")
	for _, e := range entries {
		var content []byte
		if content, err = static.ReadFile("static/" + e.Name()); err != nil {
			break
		}
		sum := sha256.Sum256(content)
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:12]) + `"`
		address := "/page/" + e.Name()
		if e.Name() == "index.html" {
			address = "/{$}"
		}
		out[address] = func(w http.ResponseWriter, r *http.Request) {
			h := w.Header()
			h.Set("Cache-Control", "no-cache")
			h.Set("ETag", tag)
			h.Set("Content-Type", kinds[path.Ext(e.Name())])
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
		}
	}
	if err != nil {
		panic(fmt.Sprintf("the page is not in the program: %v", err)) // the compiler has embedded it
	}
	return out
}
