package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mattn/go-runewidth"
	"github.com/rogpeppe/go-internal/testscript"

	"analyzer/process"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"analyzer": main})
}

// TestScripts runs the scripts in testdata. $PORT is free. Beside the usual commands
// there are
//
//	status N COMMAND…                    run, and compare the exit status
//	terminal FILE WIDTH COMMAND…         run on a terminal, and keep what it shows
//	typed FILE WIDTH LINES COMMAND…      run on a terminal, type lines, and keep what it shows
//	fits FILE WIDTH                      check that no line is wider
//	interrupt SIGNAL FILE N COMMAND…     run until there is a FILE (a pattern), send the signal, compare the exit status
//	json FILE                            check that the file is one JSON value
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			var claims process.PortClaims
			ports, err := claims.Claim(1)
			if err != nil {
				return err
			}
			env.Defer(func() { _ = claims.Close() })
			env.Setenv("PORT", strconv.Itoa(ports[0]))
			return os.MkdirAll(env.Getenv("TMPDIR"), 0o755)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status, "terminal": terminal, "typed": typing, "fits": fits, "interrupt": interrupt, "json": isJSON,
		},
	})
}

func status(ts *testscript.TestScript, _ bool, args []string) {
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := exitStatus(ts, ts.Exec(args[1], args[2:]...)); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}

func exitStatus(ts *testscript.TestScript, err error) int {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return failed.ExitCode()
	}
	ts.Check(err)
	return 0
}

// command is a program of the script with its directory and environment.
func command(ts *testscript.TestScript, args []string) *exec.Cmd {
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if _, err := os.Stat(filepath.Join(dir, args[0])); err == nil && path == "" {
			path = filepath.Join(dir, args[0])
		}
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Env = append(os.Environ(), "PATH="+ts.Getenv("PATH"), "TMPDIR="+ts.Getenv("TMPDIR"))
	return cmd
}

func interrupt(ts *testscript.TestScript, _ bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL}
	want, err := strconv.Atoi(args[2])
	ts.Check(err)
	cmd := command(ts, args[3:])
	// Below nohup this process ignores hang-ups, and would hand that on.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	ts.Check(cmd.Start())
	deadline := time.Now().Add(time.Minute)
	for {
		if there, _ := filepath.Glob(ts.MkAbs(args[1])); len(there) > 0 {
			break
		}
		if time.Now().After(deadline) {
			ts.Check(cmd.Process.Kill())
			ts.Fatalf("%s did not appear", args[1])
		}
		time.Sleep(time.Millisecond)
	}
	ts.Check(cmd.Process.Signal(signals[args[0]]))
	sent := time.Now()
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	got := exitStatus(ts, cmd.Wait())
	ts.Logf("%s", stderr.String())
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	took := time.Since(sent)
	ts.Logf("stopped after %v", took)
	if took > 30*time.Second { // what it waits for would come after two minutes
		ts.Fatalf("it did not stop at once")
	}
	ts.Check(os.WriteFile(ts.MkAbs("interrupted.txt"), stderr.Bytes(), 0o644))
}

func fits(ts *testscript.TestScript, _ bool, args []string) {
	width, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := runewidth.StringWidth(strings.TrimSpace(line)); n > width {
			ts.Fatalf("%d columns: %s", n, line)
		}
	}
}

func isJSON(ts *testscript.TestScript, _ bool, args []string) {
	if text := ts.ReadFile(args[0]); !json.Valid([]byte(text)) {
		ts.Fatalf("%s is not JSON: %s", args[0], text)
	}
}
