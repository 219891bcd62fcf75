package e2e_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

// TestBrokerStopped stops the server of a cluster's own broker in the midst of a job, for good:
// whoever watches it restarts it, and the job goes on.
func TestBrokerStopped(t *testing.T) {
	lengthy(t)
	for name, args := range map[string][]string{
		"cluster up watches": nil,
		"supervisors watch":  {"--supervisors", "2", "--http", e2e.FreeAddress(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if args != nil && !*long {
				t.Skip("it takes a minute: make long")
			}
			stopBroker(t, args)
		})
	}
}

func stopBroker(t *testing.T, args []string) {
	dir := t.TempDir()
	gateway := e2e.FreeAddress(t)
	up := shared.Begin(t, dir, append([]string{
		"cluster", "up", "--memory", "128MiB", "--listen", gateway, "--state", filepath.Join(dir, "state"),
	}, args...)...)
	if !up.Said(regexp.MustCompile("The cluster is ready")) {
		t.Fatalf("%s", up.Wait().Stderr)
	}
	shared.Begin(t, dir, "generate", "movies", "--scale", "0.02", "--output", "data").Wait()
	want := shared.Begin(t, dir, "run", "movies", "data", "--format", "json").Wait().Stdout
	k := shared.Begin(t, dir, "submit", "movies", "data", "--gateway", gateway, "--format", "json", "--block-size", "4KiB")
	k.AwaitJob()
	before := serverPID(t, dir)
	if before == 0 {
		t.FailNow()
	}
	if err := syscall.Kill(before, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if k.Ended() {
		t.Fatalf("the job was over before the broker was stopped:\n%s", k.Wait().Stderr)
	}
	away := make(chan time.Duration, 1)
	go func() {
		for serverPID(t, dir) == before && !k.Ended() {
			time.Sleep(50 * time.Millisecond)
		}
		away <- time.Since(began)
	}()
	if got := k.Wait(); got.Code != 0 || !bytes.Equal(got.Stdout, want) {
		t.Errorf("submit: status %d, %d bytes of answers, want %d\n%s", got.Code, len(got.Stdout), len(want), got.Stderr)
	}
	t.Logf("another broker started %v after one was stopped, and the job was done after %v",
		(<-away).Round(100*time.Millisecond), time.Since(began).Round(100*time.Millisecond))
	if serverPID(t, dir) == before {
		t.Errorf("process %d is still the broker", before)
	}
	if err := up.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if said := up.Wait().Stderr; !strings.Contains(string(said), "broker was started again (it did not answer 3 times in a row, and was killed)") {
		t.Errorf("cluster up says\n%s", said)
	}
}

// serverPID returns the process ID that the RabbitMQ server of a cluster, which keeps its state
// below dir, has last written.
func serverPID(t *testing.T, dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "state", "broker", "pid"))
	pid := 0
	if err == nil && len(text) > 0 { // it is empty while it is written
		pid, err = strconv.Atoi(strings.TrimSpace(string(text)))
	}
	if err != nil {
		t.Error(err)
	}
	return pid
}
