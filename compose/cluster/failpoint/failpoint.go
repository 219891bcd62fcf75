// Package failpoint ends the process at named points of the program, for tests of
// what a crash leaves behind, or lets it stand still there.
//
// Processes of a cluster take the point from the environment:
//
//	ANALYZER_CRASH=rename:3
//
// kills the process, as kill -9 would, when it passes the point “rename” for the
// third time. Nothing is flushed, closed or told to anybody. With a duration behind
// it, as in “rename:3:60s”, whoever passes the point waits there for so long.
package failpoint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// Variable is the environment variable that names a point.
const Variable = "ANALYZER_CRASH"

// Parse reads "point:n:wait", where the first pass and no wait can be left out, and
// returns what the program calls at each point it passes. It may be called
// concurrently. For "" it returns nil: the program runs to its end. points are those
// there are.
func Parse(text string, points []string) (func(point string), error) {
	return parse(text, points, kill)
}

func parse(text string, points []string, kill func()) (func(point string), error) {
	if text == "" {
		return nil, nil
	}
	chosen, rest, counted := strings.Cut(text, ":")
	if !slices.Contains(points, chosen) {
		return nil, fmt.Errorf("%s: there is no point %q; there are %s", Variable, chosen, strings.Join(points, ", "))
	}
	last, act := int64(1), kill
	count, wait, waits := strings.Cut(rest, ":")
	if counted {
		var err error
		if last, err = strconv.ParseInt(count, 10, 64); err != nil || last < 1 {
			return nil, fmt.Errorf("%s: %q is not a number of passes", Variable, count)
		}
	}
	if waits {
		d, err := time.ParseDuration(wait)
		if err != nil || d <= 0 {
			return nil, fmt.Errorf("%s: %q is not a time to wait", Variable, wait)
		}
		act = func() { time.Sleep(d) }
	}
	passes := new(atomic.Int64)
	return func(point string) {
		if point == chosen && passes.Add(1) == last {
			act()
		}
	}, nil
}

// kill ends the process as a crash would, and does not return.
func kill() {
	self, err := os.FindProcess(os.Getpid())
	if err == nil {
		err = self.Kill()
	}
	if err != nil {
		panic(fmt.Sprintf("failpoint: this process cannot be killed: %v", err))
	}
	select {} // until it is
}
