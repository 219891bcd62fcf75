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
// built once, and a RabbitMQ node. Its owner is TestMain.
type Shared struct {
	nodetest.Shared

	once    sync.Once
	dir     string
	program string
	err     error
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
