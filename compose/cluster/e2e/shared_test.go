package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"analyzer/shuffle/rabbit/node/nodetest"
)

// Shared is what the clusters of a test process have in common: the program,
// built once, a RabbitMQ node, and what some commands have come to. Its owner is
// TestMain. Its methods may be called concurrently.
type Shared struct {
	nodetest.Shared

	once    sync.Once
	dir     string
	program string
	err     error

	results sync.Map // of func() Result, by what they are of
}

// result returns what a command has come to, which is run once for its key.
func (s *Shared) result(key string, run func() Result) Result {
	once, _ := s.results.LoadOrStore(key, sync.OnceValue(run))
	return once.(func() Result)()
}

// Program returns the path of the program, which is built by the first test that
// asks for it.
func (s *Shared) Program(t testing.TB) string {
	t.Helper()
	s.once.Do(func() { s.err = s.build() })
	if s.err != nil {
		t.Fatal(s.err)
	}
	return s.program
}

func (s *Shared) build() (err error) {
	if s.dir, err = os.MkdirTemp("", "analyzer-e2e-"); err != nil {
		return err
	}
	s.program = filepath.Join(s.dir, "analyzer")
	args := []string{"build", "-race=" + strconv.FormatBool(race), "-o", s.program, "analyzer/cmd/analyzer"}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// Main runs the tests, and then stops the node and removes the program. It returns
// the exit code.
func (s *Shared) Main(m *testing.M) int {
	code := s.Shared.Main(m)
	if s.dir != "" {
		if err := os.RemoveAll(s.dir); err != nil {
			fmt.Fprintln(os.Stderr, "remove the program:", err)
			code = max(code, 1)
		}
	}
	return code
}
