package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ticks is how many of the units of /proc/PID/stat make a second; the kernel shows
// them as hundredths on every machine (USER_HZ, see proc(5)).
const ticks = 100

// stat is a line of /proc/PID/stat.
type stat struct {
	pid, parent int
	name        string
	seconds     float64 // of user and system
}

// brokerSeconds returns the processor seconds of what descends from a process and is
// not of the same program as it: of a cluster, the broker. It is 0 where there is no
// /proc.
func brokerSeconds(root int) (sum float64) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	all := make(map[int]stat)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		if s, ok := parseStat(string(text)); ok {
			all[s.pid] = s
		}
	}
	for _, s := range all {
		if s.name != all[root].name && descends(all, s.pid, root) {
			sum += s.seconds
		}
	}
	return sum
}

// parseStat reads the fields that matter of a line, in which the name alone may hold
// spaces and parentheses.
func parseStat(line string) (s stat, ok bool) {
	begin, end := strings.Index(line, "("), strings.LastIndex(line, ")")
	if begin < 0 || end < begin {
		return s, false
	}
	var user, system float64
	s.name = line[begin+1 : end]
	_, err := fmt.Sscan(line[:begin], &s.pid)
	fields := strings.Fields(line[end+1:]) // the first is the state, field 3
	if err != nil || len(fields) < 13 {
		return s, false
	}
	if _, err := fmt.Sscan(strings.Join([]string{fields[1], fields[11], fields[12]}, " "), &s.parent, &user, &system); err != nil {
		return s, false
	}
	s.seconds = (user + system) / ticks
	return s, true
}

func descends(all map[int]stat, pid, root int) bool {
	for pid > 1 && pid != root {
		pid = all[pid].parent
	}
	return pid == root
}
