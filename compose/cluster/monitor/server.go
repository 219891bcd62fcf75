// Package monitor shows the state of a process of a cluster, over HTTP:
//
//	/healthz   200 while the process lives
//	/readyz    200 when it can work, else 503 and, to those who may know, why not
//	/metrics   what it counts, for Prometheus
//
// Everybody may ask whether a process lives and can work. All else is for those whom its Door
// lets in, and for other members of the cluster. Strangers' connections are few and short. With
// a certificate, it serves encrypted and plain requests at the same address.
//
// Being alive is not being ready: a process whose broker is away is alive, waits for the
// broker, and must not be restarted for that.
package monitor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"analyzer/compose/cluster/quota"
)

// Config is what a Server shows.
type Config struct {
	// Ready returns why the process cannot work, or nil if it can. It is called concurrently
	// and must not block.
	Ready func() error
	// Metrics are shown in addition to those of the Go runtime, the process and its machine.
	Metrics []Collector
	// TLS lets clients encrypt, but does not require it; nil: they cannot.
	TLS *tls.Config
	// Door lets clients in, and Member is the token that members of the cluster show each
	// other; "": they show none.
	Door   Door
	Member string
	Log    *slog.Logger
}

// Server answers until it is closed.
type Server struct {
	cfg         Config
	http        *http.Server
	mux         *http.ServeMux
	listener    net.Listener
	connections *quota.Connections
	complete    atomic.Bool
	ended       chan struct{}
}

const (
	// patience bounds how long a client may take over a request or its answer, and how long a
	// stranger may stay.
	patience       = 10 * time.Second
	maxConnections = 512
	maxHeader      = 64 << 10
)

// Start listens on an address, host:port, and answers. The caller calls Close.
func Start(addr string, cfg Config) (*Server, error) {
	registry := prometheus.NewRegistry()
	own := []prometheus.Collector{
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		Collect("machine", machine),
	}
	for _, c := range append(own, cfg.Metrics...) {
		if err := registry.Register(c); err != nil {
			return nil, fmt.Errorf("show metrics: %w", err)
		}
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("show health and metrics: %w", err)
	}
	s := &Server{
		cfg: cfg, mux: http.NewServeMux(), ended: make(chan struct{}),
		connections: quota.Share(listener, maxConnections, cfg.Door.Admit != nil || cfg.Member != "", patience),
	}
	s.listener = s.connections
	if cfg.TLS != nil {
		s.listener = newEither(s.connections, cfg.TLS)
	}
	s.mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	s.mux.HandleFunc("GET /readyz", s.ready)
	s.HandleInside("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s.http = &http.Server{
		Handler: http.HandlerFunc(s.serve), ReadTimeout: patience, WriteTimeout: patience, MaxHeaderBytes: maxHeader,
		ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	go func() {
		defer close(s.ended)
		if err := s.http.Serve(s.listener); !errors.Is(err, http.ErrServerClosed) {
			cfg.Log.Error("health and metrics are no longer shown", "error", err)
		}
	}()
	return s, nil
}

// Handle adds a page for everybody, as http.ServeMux does. A page has ten seconds to read a
// request and to answer it, unless it asks for more (http.ResponseController).
func (s *Server) Handle(pattern string, page http.Handler) { s.mux.Handle(pattern, page) }

// HandleInside adds a page for those who may look into the process, and for members.
func (s *Server) HandleInside(pattern string, page http.Handler) { s.Handle(pattern, s.inside(page)) }

// Complete says that all pages have been added. Until then, others are asked for again later.
func (s *Server) Complete() { s.complete.Store(true) }

// serve passes a request on to its page.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 { // otherwise the server would wait for a body that the page does not read
		w.Header().Set("Connection", "close")
	}
	if _, pattern := s.mux.Handler(r); pattern == "" && !s.complete.Load() {
		retryLater(w, "this process is starting")
		return
	}
	s.mux.ServeHTTP(w, r)
}

// ready tells whether the process can work. Why it cannot is only for those who may know.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) {
	trouble := s.cfg.Ready()
	switch {
	case trouble == nil:
		say(w, http.StatusOK, "ready")
	case !s.mayKnow(r):
		say(w, http.StatusServiceUnavailable, "not ready")
	default:
		say(w, http.StatusServiceUnavailable, trouble.Error())
	}
}

func (s *Server) mayKnow(r *http.Request) bool {
	_, err := s.enterAsMember(r)
	return err == nil
}

// retryLater says that the process will answer soon.
func retryLater(w http.ResponseWriter, why string) {
	w.Header().Set("Retry-After", "1")
	say(w, http.StatusServiceUnavailable, why)
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text+"\n") // the caller may be gone
}

// Addr is the address of the server, with the port that was chosen if 0 was asked for.
func (s *Server) Addr() string { return s.listener.Addr().String() }

// Close ends the server. Requests have a moment to be answered.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	<-s.ended
	return err
}
