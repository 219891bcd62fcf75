package failpoint

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
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

func TestNoPoint(t *testing.T) {
	if pass, err := Parse("", points); err != nil || pass != nil {
		t.Errorf("without a point: %v", err)
	}
	for _, text := range []string{"close", "open:0", "open:", "open:x", "open:1:2", ":1"} {
		if _, err := Parse(text, points); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}
