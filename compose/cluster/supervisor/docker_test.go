package supervisor

import (
	"encoding/binary"
	"encoding/json"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"analyzer/compose/cluster/membership"
)

// daemon answers as Docker does, for one container that bears the labels of worker-0
// of cluster demo.
type daemon struct {
	mu     sync.Mutex
	runs   bool
	status int // with which it has ended
	sick   int // checks that have failed in a row
	calls  []string
}

func (d *daemon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	refuse := func(status int, text string) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]string{"message": text})
	}
	switch r.URL.Path {
	case "/containers/json":
		var filters struct{ Label []string }
		if err := json.Unmarshal([]byte(r.FormValue("filters")), &filters); err != nil {
			refuse(http.StatusBadRequest, err.Error())
			return
		}
		found := []map[string]string{}
		if strings.Join(filters.Label, " ") == "analyzer.cluster=demo analyzer.node=worker-0" && r.FormValue("all") == "1" {
			found = append(found, map[string]string{"Id": "c0"})
		}
		_ = json.NewEncoder(w).Encode(found)
		return
	case "/containers/c0/json":
		_ = json.NewEncoder(w).Encode(map[string]any{"State": map[string]any{
			"Running": d.runs, "Pid": 17, "ExitCode": d.status, "OOMKilled": !d.runs && d.status != 0, "StartedAt": "2026-11-22T01:02:03.4Z",
			"Health": map[string]any{"Status": "healthy", "FailingStreak": d.sick},
		}})
		return
	case "/containers/c0/logs":
		for _, line := range []string{"one\n", "two\n"} {
			header := make([]byte, 8)
			binary.BigEndian.PutUint32(header[4:], uint32(len(line)))
			_, _ = w.Write(append(header, line...))
		}
		return
	case "/containers/c0/start":
		if d.runs {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		d.runs = true
	case "/containers/c0/kill":
		if !d.runs {
			refuse(http.StatusConflict, "container c0 is not running")
			return
		}
		d.runs = r.FormValue("signal") != "9"
	default:
		refuse(http.StatusNotFound, "no such page")
		return
	}
	d.calls = append(d.calls, r.Method+" "+r.URL.String())
	w.WriteHeader(http.StatusNoContent)
}

func startDaemon(t *testing.T) (*daemon, *Docker) {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "docker.sock")
	lis, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	d := new(daemon)
	s := &http.Server{Handler: d}
	served := make(chan error)
	go func() { served <- s.Serve(lis) }()
	t.Cleanup(func() {
		_ = s.Close()
		<-served
	})
	return d, NewDocker(socket, "demo")
}

func TestDockerTouchesItsContainer(t *testing.T) {
	fake, d := startDaemon(t)
	fake.status = 137
	n := Node{Name: "worker-0", Role: membership.Worker}
	look := func(runs bool) Condition {
		t.Helper()
		c, err := d.Look(t.Context(), n)
		if err != nil || c.Runs != runs {
			t.Fatalf("it runs: %v, %v; want %v", c.Runs, err, runs)
		}
		return c
	}
	if c := look(false); c.Ending != "killed for its memory" || !c.Started || c.Left || c.Healthy {
		t.Errorf("it has ended as %+v", c)
	}
	fake.status = 0
	if c := look(false); !c.Left {
		t.Errorf("one that was asked to has ended as %+v", c)
	}
	for range 2 { // one that runs stays as it is
		if err := d.Start(t.Context(), n); err != nil {
			t.Fatal(err)
		}
	}
	if c := look(true); c.PID != 17 || c.Since.IsZero() || c.Ending != "" || c.Left || !c.Healthy {
		t.Errorf("it runs as %+v", c)
	}
	fake.sick = 1
	if c := look(true); c.Healthy {
		t.Error("it is healthy though its last check has failed")
	}
	if words := d.Words(t.Context(), n); words != "one\ntwo" {
		t.Errorf("it has said %q", words)
	}
	if err := Halt(t.Context(), d, 0, n); err != nil {
		t.Fatal(err)
	}
	look(false)
	if err := d.Signal(t.Context(), n, syscall.SIGTERM); err != nil { // one that does not run gets none
		t.Error(err)
	}
	if got, want := strings.Join(fake.calls, "\n"), "POST /containers/c0/start\nPOST /containers/c0/kill?signal=9"; got != want {
		t.Errorf("it was asked for\n%s\nwant\n%s", got, want)
	}
}

func TestDockerTouchesNoOther(t *testing.T) {
	fake, d := startDaemon(t)
	other := Node{Name: "worker-1", Role: membership.Worker}
	if _, err := d.Look(t.Context(), other); err == nil || !strings.Contains(err.Error(), "0 containers are labelled analyzer.cluster=demo and analyzer.node=worker-1") {
		t.Errorf("a container that is not there: %v", err)
	}
	if err := d.Start(t.Context(), other); err == nil {
		t.Error("it was started")
	}
	d.cluster = "other"
	if err := d.Signal(t.Context(), Node{Name: "worker-0"}, syscall.SIGKILL); err == nil {
		t.Error("a node of another cluster was killed")
	}
	if len(fake.calls) > 0 {
		t.Errorf("it was asked for %q", fake.calls)
	}
}

func TestDockerIsAway(t *testing.T) {
	d := NewDocker(filepath.Join(t.TempDir(), "nobody.sock"), "demo")
	if _, err := d.Look(t.Context(), Node{Name: "worker-0"}); err == nil || !strings.Contains(err.Error(), "worker-0") {
		t.Errorf("without a daemon: %v", err)
	}
}
