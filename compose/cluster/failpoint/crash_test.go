package failpoint

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var points = []string{"open", "rename"}

// victim makes the test binary pass the points of its environment instead of
// running tests.
const victim = "CRASH_TEST_VICTIM"

func TestMain(m *testing.M) {
	if os.Getenv(victim) == "" {
		os.Exit(m.Run())
	}
	pass, err := Parse(os.Getenv(Variable), points)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	for i := range 5 {
		fmt.Println("open", i+1)
		pass("open")
		fmt.Println("rename", i+1)
		pass("rename")
	}
}

func TestKillsAtTheNthPass(t *testing.T) {
	for text, last := range map[string]string{"rename:3": "rename 3", "open:5": "open 5", "open": "open 1"} {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), victim+"=1", Variable+"="+text)
		out, err := cmd.Output()
		var failed *exec.ExitError
		if !errors.As(err, &failed) || failed.ProcessState.Exited() {
			t.Errorf("%s: the process was not killed: %v", text, err)
		}
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		if got := lines[len(lines)-1]; got != last {
			t.Errorf("%s: killed after %q, want %q", text, got, last)
		}
	}
}

func TestCountsPassesOfAllGoroutines(t *testing.T) {
	killed := 0
	pass, err := parse("rename:400", points, func() { killed++ })
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for range 100 {
				pass("open")
				pass("rename")
			}
		})
	}
	all.Wait()
	if killed != 1 {
		t.Errorf("killed %d times, want once", killed)
	}
}

func TestWaitsAtTheNthPass(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pass, err := Parse("rename:3:1m", points)
		if err != nil {
			t.Fatal(err)
		}
		for n := range 5 {
			began := time.Now()
			pass("rename")
			if waited := time.Since(began) == time.Minute; waited != (n == 2) {
				t.Errorf("pass %d took %v", n+1, time.Since(began))
			}
		}
	})
}

func TestNoPoint(t *testing.T) {
	if pass, err := Parse("", points); err != nil || pass != nil {
		t.Errorf("without a point: %v", err)
	}
	for _, text := range []string{"close", "open:0", "open:", "open:x", "open:1:2", "open:1:", "open:1:-1s", "open::1s", ":1"} {
		if _, err := Parse(text, points); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
