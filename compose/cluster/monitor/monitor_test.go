package monitor

import (
	"errors"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/shuffle/broker"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestShowsHowTheProcessIs(t *testing.T) {
	var rows, held atomic.Int64
	var trouble atomic.Pointer[error]
	var took Times
	source := func(show func(Metric)) {
		show(Metric{Name: "held_bytes", Help: "Bytes held.", Value: float64(held.Load())})
		show(Metric{Name: "rows_total", Help: "Rows.", Value: float64(rows.Load()), Stage: "3"})
		show(Metric{Name: "rows_total", Help: "Rows.", Value: 2, Stage: "10"})
		show(Metric{Name: "commit_seconds", Help: "Time.", Times: &took})
	}
	ready := func() error {
		if err := trouble.Load(); err != nil {
			return *err
		}
		return nil
	}
	s, err := Start("127.0.0.1:0", Config{
		Ready: ready, Log: slog.New(slog.DiscardHandler),
		Metrics: []Collector{Collect("worker", source)},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if _, err := http.Get("http://" + s.Addr() + "/healthz"); err == nil {
			t.Error("it answers after it was closed")
		}
	}()

	check := func(path string, status int, texts ...string) {
		t.Helper()
		resp, err := http.Get("http://" + s.Addr() + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != status {
			t.Errorf("%s: status %d, want %d", path, resp.StatusCode, status)
		}
		for _, text := range texts {
			if !strings.Contains(string(body), text) {
				t.Errorf("%s: %q is not in\n%s", path, text, body)
			}
		}
	}
	check("/healthz", 200, "ok")
	check("/readyz", 200, "ready")
	away := errors.New("the broker is away")
	trouble.Store(&away)
	check("/readyz", 503, "the broker is away")
	check("/healthz", 200)
	trouble.Store(nil)
	check("/readyz", 200)
	rows.Store(17)
	held.Store(5)
	for _, d := range []time.Duration{500 * time.Microsecond, time.Second, 100 * time.Second} {
		took.Observe(d)
	}
	check("/metrics", 200, `analyzer_worker_rows_total{stage="3"} 17`, `analyzer_worker_rows_total{stage="10"} 2`, "# TYPE analyzer_worker_rows_total counter",
		`analyzer_worker_held_bytes 5`, "# TYPE analyzer_worker_held_bytes gauge", "go_goroutines",
		"# HELP analyzer_worker_held_bytes Bytes held.", "# TYPE analyzer_worker_commit_seconds histogram",
		`analyzer_worker_commit_seconds_bucket{le="0.001"} 1`, `analyzer_worker_commit_seconds_bucket{le="65.536"} 2`,
		`analyzer_worker_commit_seconds_bucket{le="+Inf"} 3`, `analyzer_worker_commit_seconds_sum 101.0005`, `analyzer_worker_commit_seconds_count 3`)
	s.Complete()
	check("/elsewhere", 404)
	http.DefaultClient.CloseIdleConnections()
}

func TestAddressInUse(t *testing.T) {
	cfg := Config{Ready: func() error { return nil }, Log: slog.New(slog.DiscardHandler)}
	s, err := Start("127.0.0.1:0", cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if other, err := Start(s.Addr(), cfg); err == nil {
		other.Close()
		t.Error("two servers listen on one address")
	}
}

func TestFieldsAreMetrics(t *testing.T) {
	var c broker.Counters
	c.Redelivered.Add(3)
	var names []string
	Fields(&c, "7", func(m Metric) {
		if !strings.HasSuffix(m.Help, ".") || m.Stage != "7" {
			t.Errorf("%s: %q is no sentence, or the stage is %q", m.Name, m.Help, m.Stage)
		}
		names = append(names, m.Name)
		if want := map[string]float64{"redelivered_total": 3}[m.Name]; m.Value != want {
			t.Errorf("%s is %v, want %v", m.Name, m.Value, want)
		}
	})
	if len(names) != 13 {
		t.Errorf("%d counters: %v", len(names), names)
	}
}
