// Package failpoint ends the process at named points of the program, for tests of
// what a crash leaves behind.
//
// Processes of a cluster take the point from the environment:
//
//	ANALYZER_CRASH=rename:3
//
// kills the process, as kill -9 would, when it passes the point “rename” for the
// third time. Nothing is flushed, closed or told to anybody.
package failpoint

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
)

// Variable is the environment variable that names a point.
const Variable = "ANALYZER_CRASH"

// Parse reads "point:n" or "point", which is the first pass, and returns what
// the program calls at each point it passes. It may be called concurrently. For
// "" it returns nil: the program runs to its end. points are those there are.
func Parse(text string, points []string) (func(point string), error) {
	return parse(text, points, kill)
}

func parse(text string, points []string, kill func()) (func(point string), error) {
	if text == "" {
		return nil, nil
	}
	chosen, count, counted := strings.Cut(text, ":")
	if !slices.Contains(points, chosen) {
		return nil, fmt.Errorf("%s: there is no point %q; there are %s", Variable, chosen, strings.Join(points, ", "))
	}
	last := int64(1)
	if counted {
		var err error
		if last, err = strconv.ParseInt(count, 10, 64); err != nil || last < 1 {
			return nil, fmt.Errorf("%s: %q is not a number of passes", Variable, count)
		}
	}
	passes := new(atomic.Int64)
	return func(point string) {
		if point == chosen && passes.Add(1) == last {
			kill()
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
