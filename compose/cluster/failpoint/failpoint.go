// Package failpoint ends the process at a named point of the program, or makes it hang
// there. It is for tests of what a crash leaves behind.
//
// Processes of a cluster read the point from the environment:
//
//	ANALYZER_CRASH=rename:3
//
// kills the process, as kill -9 would, when it passes the point “rename” for the
// third time. Nothing is flushed, closed or reported. With a duration appended,
// as in “rename:3:60s”, the goroutine that passes the point says so on the standard error,
// and waits there for so long.
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

// Parse reads "point:n:wait". n defaults to 1; without wait the process is killed. Parse
// returns a function that the program calls at each point it passes; concurrent calls are
// fine. For "" it returns nil: the program runs to its end. points are the valid names.
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
		act = func() {
			fmt.Fprintf(os.Stderr, "the process waits %v at the point %s\n", d, chosen)
			time.Sleep(d)
		}
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
	select {} // until the signal arrives
}
