// Package monitor shows the state of a process of a cluster, over HTTP:
//
//	/healthz   200 while the process lives
//	/readyz    200 when it can work, else 503 and why not
//	/metrics   what it counts, for Prometheus
//
// With a certificate, it serves encrypted and plain requests at the same address.
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
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
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
	Log *slog.Logger
}

// Server answers until it is closed.
type Server struct {
	http     *http.Server
	mux      *http.ServeMux
	listener net.Listener
	ended    chan struct{}
}

// patience bounds how long a client may take over a request or its answer.
const patience = 10 * time.Second

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
	if cfg.TLS != nil {
		listener = newEither(listener, cfg.TLS)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "ok") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if err := cfg.Ready(); err != nil {
			say(w, http.StatusServiceUnavailable, err.Error())
			return
		}
		say(w, http.StatusOK, "ready")
	})
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s := &Server{
		listener: listener, mux: mux, ended: make(chan struct{}),
		http: &http.Server{
			Handler: mux, ReadTimeout: patience, WriteTimeout: patience, MaxHeaderBytes: 64 << 10,
			ErrorLog: slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
		},
	}
	go func() {
		defer close(s.ended)
		if err := s.http.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			cfg.Log.Error("health and metrics are no longer shown", "error", err)
		}
	}()
	return s, nil
}

// Handle adds a page, as http.ServeMux does. A page has ten seconds to read a request and to
// answer it, unless it asks for more (http.ResponseController).
func (s *Server) Handle(pattern string, page http.Handler) { s.mux.Handle(pattern, page) }

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
