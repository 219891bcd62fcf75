package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"analyzer/bench/peers/internal/program"
	"analyzer/bench/peers/internal/versus"
)

// fakeCluster is an analyzer that says what a cluster says, and ends when it is
// asked to.
func fakeCluster(t *testing.T, script string) programs {
	t.Helper()
	path := filepath.Join(t.TempDir(), "analyzer")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return programs{analyzer: path, data: "DATA"}
}

func TestClusterIsStartedAndMeasured(t *testing.T) {
	seconds := map[string]string{"/g0": "1.5", "/w0": "2", "/w1": "4"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "# HELP x\nprocess_cpu_seconds_total %s\n", seconds[r.URL.Path])
	}))
	defer server.Close()
	p := fakeCluster(t, fmt.Sprintf(`
echo "  gateway 0: %[1]s/g0" >&2
echo "  worker 0: %[1]s/w0" >&2
echo "  worker 1: %[1]s/w1" >&2
echo "The cluster is ready: $*" >&2
trap "exit 0" INT
while :; do sleep 0.01; done
`, server.URL))
	up, err := startCluster(t.Context(), p, 2)
	if err != nil {
		t.Fatal(err)
	}
	got, err := up.cpu(t.Context())
	if err != nil || got != (cpu{1.5, 6, got.broker}) {
		t.Errorf("%v, %v", got, err)
	}
	if err := up.stop(); err != nil {
		t.Error(err)
	}
}

func TestClusterThatDoesNotStart(t *testing.T) {
	p := fakeCluster(t, "echo no broker >&2; exit 1\n")
	if _, err := startCluster(t.Context(), p, 2); err == nil || !strings.Contains(err.Error(), "no broker") {
		t.Error(err)
	}
}

func TestClusterRow(t *testing.T) {
	run := func(wall, user time.Duration) []program.Usage {
		return []program.Usage{{Wall: wall, User: user, PeakRSS: 5 << 20}}
	}
	o := versus.Outcome{Workload: "movies", Ours: run(2*time.Second, time.Second), Peer: run(time.Second, 3*time.Second)}
	want := "| movies | 50 | 100 | 0.50 | 1.00, 0.25, 0.75, 0.50 | 3.00 | 5 |"
	if got := clusterRow(o, 100e6, cpu{0.25, 0.75, 0.5}); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if sameBytes([]byte("a"), []byte("a")) != nil || sameBytes([]byte("a"), []byte("b")) == nil {
		t.Error("bytes are not compared")
	}
}
