package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestCancelStopsTheProcess(t *testing.T) {
	number := filepath.Join(t.TempDir(), "pid")
	c := sweepAs(t, number, "groups")
	c.Dir = writeRatings(t, "userId,movieId,rating,timestamp\n")
	why := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	defer cancel(nil)
	ended := make(chan error, 1)
	go func() {
		_, err := Sweep(ctx, c)
		ended <- err
	}()
	pid := waitForNumber(t, number)
	cancel(why)
	select {
	case err := <-ended:
		if !errors.Is(err, why) {
			t.Errorf("error %v, want %v", err, why)
		}
	case <-time.After(graceToStop):
		t.Fatal("Sweep did not end")
	}
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("process %d is still there: %v", pid, err)
	}
	if left := entries(t, c.SpillDir); len(left) > 0 {
		t.Errorf("%s were left behind", left)
	}
}

// waitForNumber returns the number in a file as soon as it is there.
func waitForNumber(t *testing.T, name string) int {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil && len(text) > 0 {
			n, err := strconv.Atoi(string(text))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatal("the process did not start")
	return 0
}
