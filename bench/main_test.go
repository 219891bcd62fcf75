package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/columnar/vfs"
)

// actAs is the environment variable that makes the test binary a process of a
// sweep, and says how it behaves.
const actAs = "BENCH_TEST_ACT_AS"

func TestMain(m *testing.M) {
	if role := os.Getenv(actAs); role != "" {
		if err := act(role); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

func act(role string) error {
	switch role {
	case "serve":
		return Serve(context.Background(), vfs.OS(), os.Stdin, os.Stdout)
	case "fail":
		return errors.New("the disk is on fire")
	case "babble":
		_, err := fmt.Println("hello")
		return err
	case "differ": // no two runs give the same answers
		_, err := fmt.Printf(`{"answers": "%d", "rows": 1, "bytes": 1, "peak": %d}`, os.Getpid(), 200<<20)
		return err
	default: // hang: role is where to write the number of this process
		if err := os.WriteFile(role, fmt.Appendf(nil, "%d", os.Getpid()), 0o644); err != nil {
			return err
		}
		time.Sleep(time.Hour)
		return nil
	}
}

// sweepAs returns a sweep whose processes are this test binary in a role.
func sweepAs(t *testing.T, role string, workloads ...string) Config {
	t.Helper()
	t.Setenv(actAs, role)
	// A process built with the race detector waits a second before it ends.
	t.Setenv("GORACE", os.Getenv("GORACE")+" atexit_sleep_ms=0")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	selected, err := SelectWorkloads(workloads...)
	if err != nil {
		t.Fatal(err)
	}
	return Config{
		Workloads: selected, Command: []string{self}, FS: vfs.OS(), SpillDir: t.TempDir(), Progress: func(string) {},
		Transports: []Transport{InMemory}, Replicas: []int{0}, Memory: []int64{0}, Follow: []Following{AtEnd}, Pages: []int{0}, Repeat: 1, Gateways: 1,
	}
}

// writeRatings makes a directory with a ratings.csv of that text.
func writeRatings(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "ratings.csv"), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// entries returns what is in a directory.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	names, err := vfs.OS().List(dir)
	if err != nil {
		t.Fatal(err)
	}
	return names
}
