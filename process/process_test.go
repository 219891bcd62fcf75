package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"analyzer/process/processtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func shell(script string) Spec { return Spec{Program: "/bin/sh", Args: []string{"-c", script}} }

func gone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }

func within(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within a minute: %s", what)
		}
	}
}

func TestRunGivesOutputAndStatus(t *testing.T) {
	var stdout, stderr bytes.Buffer
	s := shell("cat; echo oops >&2; exit 3")
	s.Stdin, s.Stdout, s.Stderr = strings.NewReader("hello"), &stdout, &stderr
	p, err := Run(t.Context(), s, time.Second)
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || processtest.Killed(err) {
		t.Errorf("error %v, want exit status 3", err)
	}
	if p.State().ExitCode() != 3 || stdout.String() != "hello" || stderr.String() != "oops\n" {
		t.Errorf("status %d, output %q, errors %q", p.State().ExitCode(), &stdout, &stderr)
	}
}

func TestStartSaysWhatItCannotStart(t *testing.T) {
	if _, err := Start(Spec{Program: "/nowhere/at/all"}); err == nil || !strings.Contains(err.Error(), "start /nowhere/at/all") {
		t.Errorf("error %v", err)
	}
	if _, err := Start(Spec{Program: "/bin/sh", Log: t.TempDir()}); err == nil {
		t.Error("a directory was taken for a log")
	}
}

func TestStopAsksFirst(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := shell("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.01; done")
	s.Log = log
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "the process is up", func() bool { return Tail(log, 1) == "up" })
	if err := p.Signal(syscall.SIGSTOP); err != nil { // one that stands still is asked as well
		t.Fatal(err)
	}
	if p.Stop(20*time.Second) || p.Err() != nil || Tail(log, 1) != "bye" {
		t.Errorf("it ended by %v and said %q", p.Err(), Tail(log, 5))
	}
}

func TestStopKillsWhatDoesNotListen(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	s := shell("trap '' TERM; sleep 1000 & echo $!; while :; do sleep 0.01; done")
	s.Log = log
	p, err := Start(s)
	if err != nil {
		t.Fatal(err)
	}
	within(t, "the process is up", func() bool { return strings.TrimSpace(Tail(log, 1)) != "" })
	var child int
	if _, err := fmt.Sscan(Tail(log, 1), &child); err != nil {
		t.Fatal(err)
	}
	if !p.Stop(10*time.Millisecond) || !processtest.Killed(p.Err()) {
		t.Errorf("it ended by %v, want a kill", p.Err())
	}
	within(t, "what it started is gone", func() bool { return gone(child) || zombie(child) })
}

// zombie reports whether a process has ended and nobody has asked how.
func zombie(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && strings.Contains(string(text), ") Z ")
}

func TestRunStopsWhenTheContextEnds(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if p, err := Run(ctx, shell("exec sleep 1000"), 20*time.Second); err == nil || !gone(p.PID()) {
		t.Errorf("error %v", err)
	}
}

func TestBackoffDoublesUpToItsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var b Backoff
	for _, want := range []int{100, 200, 400, 800, 1600, 3200, 5000, 5000} {
		if got := b.next(); got != time.Duration(want)*time.Millisecond {
			t.Errorf("pause of %v, want %d ms", got, want)
		}
	}
	if b.Wait(ctx) {
		t.Error("it has waited although the context has ended")
	}
}

func TestBackoffOfMany(t *testing.T) {
	b := Backoff{Most: 3 * time.Second, Apart: true}
	for i := range 100 {
		d := b.next()
		if full := min(firstPause<<min(i, 16), b.Most); d > full || d < full/2 {
			t.Fatalf("pause %d is %v, want %v to %v", i, d, full/2, full)
		}
	}
	b.Lasted(time.Millisecond)
	if d := b.next(); d < b.Most/2 {
		t.Errorf("pause after another short success: %v", d)
	}
	b.Lasted(time.Hour)
	if d := b.next(); d > firstPause {
		t.Errorf("pause after a long success: %v", d)
	}
}

func TestSleepEndsWithItsContext(t *testing.T) {
	why := errors.New("over")
	ctx, cancel := context.WithCancelCause(t.Context())
	if err := Sleep(ctx, time.Microsecond); err != nil {
		t.Errorf("undisturbed: %v", err)
	}
	cancel(why)
	if err := Sleep(ctx, time.Hour); !errors.Is(err, why) {
		t.Errorf("got %v, want %v", err, why)
	}
}

func TestEveryStopsOnceForAll(t *testing.T) {
	calls := make(chan struct{})
	stop := Every(time.Microsecond, func() { calls <- struct{}{} })
	<-calls
	<-calls
	go func() {
		for range calls { // one may be under way
		}
	}()
	stop()
	stop()
	close(calls) // and a call from now on would panic
}

func TestTail(t *testing.T) {
	name := filepath.Join(t.TempDir(), "log")
	if got := Tail(name, 3); !strings.Contains(got, "no such file") {
		t.Errorf("of no file: %q", got)
	}
	if err := os.WriteFile(name, []byte(strings.Repeat("x", 40_000)+"\na\nb\nc\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for lines, want := range map[int]string{1: "c", 2: "b\nc", 3: "a\nb\nc"} {
		if got := Tail(name, lines); got != want {
			t.Errorf("%d lines: %q, want %q", lines, got, want)
		}
	}
}

const orphanVariable = "PROCESS_TEST_ORPHAN"

// TestProcessDiesWithItsParent runs this test again in another process, which
// starts one and is killed.
func TestProcessDiesWithItsParent(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("this system has no such notion")
	}
	if os.Getenv(orphanVariable) != "" {
		p, err := Start(Spec{Program: "/bin/sleep", Args: []string{"1000"}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("pid", p.PID())
		time.Sleep(time.Hour)
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestProcessDiesWithItsParent$")
	parent.Env = append(os.Environ(), orphanVariable+"=1")
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	_ = parent.Process.Kill()
	_ = parent.Wait()
	var pid int
	if _, err := fmt.Sscanf(line, "pid %d", &pid); err != nil {
		t.Fatalf("the other process says %q: %v, %v", line, err, readErr)
	}
	within(t, "the orphan is gone", func() bool { return gone(pid) || zombie(pid) })
}

// Nobody listens yet on any of the ports, and still none is given twice: two nodes that a test
// started at the same time once had the same.
func TestPortsAreGivenOnce(t *testing.T) {
	owner := make(map[int]int)
	for i := range 20 {
		var claims PortClaims
		defer claims.Close()
		claimed, err := claims.Claim(100)
		if err != nil || len(claimed) != 100 {
			t.Fatalf("%d ports, %v", len(claimed), err)
		}
		for _, p := range claimed {
			if other, taken := owner[p]; taken {
				t.Errorf("port %d is given to %d and to %d", p, other, i)
			}
			owner[p] = i
		}
	}
}

// From a number on, claims skip what others have claimed, and who listens.
func TestClaimsFrom(t *testing.T) {
	var others, claims PortClaims
	defer others.Close()
	defer claims.Close()
	ports, err := others.Claim(1)
	if err != nil {
		t.Fatal(err)
	}
	first := ports[0]
	if claims.Take(first) {
		t.Errorf("port %d was taken twice", first)
	}
	l, err := net.Listen("tcp", Address(first+1))
	if err != nil {
		t.Skip(err) // somebody else has it
	}
	defer l.Close()
	got, err := claims.ClaimFrom(first, 2)
	if err != nil || len(got) != 2 || got[0] < first+2 || got[1] <= got[0] {
		t.Errorf("from %d on: %v, %v", first, got, err)
	}
	if got, err := claims.ClaimFrom(1<<16-1, 1); err != nil || len(got) != 1 {
		t.Errorf("from the last one on: %v, %v", got, err)
	}
}

func TestPortsOfOthersAreNotFree(t *testing.T) {
	var claims PortClaims
	claimed, err := claims.Claim(1)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", Address(claimed[0]))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := errors.Join(claims.Close(), claims.Close()); err != nil {
		t.Error(err)
	}
	if free(claimed[0]) {
		t.Errorf("port %d is free while somebody listens on it", claimed[0])
	}
}
