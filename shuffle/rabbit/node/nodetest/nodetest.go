// Package nodetest gives the tests of a package one RabbitMQ node. A test that
// needs a broker and finds none installed fails; it never skips.
package nodetest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"analyzer/shuffle/rabbit/node"
)

// Patience is how long a test waits for what must happen. A server has taken more than a minute to
// start on a machine that ran other tests.
const Patience = 5 * time.Minute

// Shared is the node of a test process, started by the first test that asks for
// it. Its owner is TestMain:
//
//	var shared nodetest.Shared
//
//	func TestMain(m *testing.M) { os.Exit(shared.Main(m)) }
type Shared struct {
	once sync.Once
	node *node.Node
	err  error
}

// Node returns the running node. A test that ends it must start it again before it
// returns. Parallel tests use a virtual host each, and must not stop the node.
func (s *Shared) Node(t testing.TB) *node.Node {
	t.Helper()
	s.once.Do(func() {
		s.node, s.err = node.Start(context.Background(), node.Config{})
	})
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.node
}

// Main runs the tests, stops the node and, if the tests have passed, runs the checks,
// such as one for leaked goroutines. It returns the exit code.
func (s *Shared) Main(m *testing.M, checks ...func() error) int {
	code := m.Run()
	if s.node != nil {
		if err := s.node.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "stop the RabbitMQ node:", err)
			code = max(code, 1)
		}
	}
	for _, check := range checks {
		if code != 0 {
			break
		}
		if err := check(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	return code
}
