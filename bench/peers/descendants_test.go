package main

import (
	"os/exec"
	"strconv"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	const line = "12 (a (b) c) S 7 12 12 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 1 0 100 0 0"
	if s, ok := parseStat(line); !ok || s != (stat{12, 7, "a (b) c", 2}) {
		t.Errorf("%v, %v", s, ok)
	}
	for _, line := range []string{"", "12 S 7", "x (a) S 1 2 3", "12 (a) S"} {
		if s, ok := parseStat(line); ok {
			t.Errorf("%q is %v", line, s)
		}
	}
}

func TestBrokerSeconds(t *testing.T) {
	// A shell, and below it another program that counts for a while.
	cmd := exec.Command("/bin/sh", "-c", "awk 'BEGIN { while (1) n++ }'; true")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = exec.Command("pkill", "-KILL", "-P", strconv.Itoa(cmd.Process.Pid)).Run(); _ = cmd.Wait() }()
	for end := time.Now().Add(30 * time.Second); brokerSeconds(cmd.Process.Pid) == 0; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("a process that is busy took no time")
		}
	}
}
