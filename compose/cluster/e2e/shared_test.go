package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"analyzer/shuffle/rabbit/node/nodetest"
)

// Shared is what the clusters of a test process have in common: the program,
// built once, a RabbitMQ node, and what some commands have come to. Its owner is
// TestMain. Its methods may be called concurrently.
type Shared struct {
	nodetest.Shared

	program, before built

	results sync.Map // of func() Result, by what they are of
}

// result returns what a command has come to, which is run once for its key.
func (s *Shared) result(key string, run func() Result) Result {
	once, _ := s.results.LoadOrStore(key, sync.OnceValue(run))
	return once.(func() Result)()
}

// built is a program that is built once, in a directory of its own.
type built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

// Program returns the path of the program, which is built by the first test that
// asks for it.
func (s *Shared) Program(t testing.TB) string {
	t.Helper()
	return s.program.get(t)
}

// ProgramBefore returns the path of a program that speaks what the release before spoke.
func (s *Shared) ProgramBefore(t testing.TB) string {
	t.Helper()
	return s.before.get(t, "oldest_protocol")
}

func (b *built) get(t testing.TB, tags ...string) string {
	t.Helper()
	b.once.Do(func() { b.err = b.build(tags) })
	if b.err != nil {
		t.Fatal(b.err)
	}
	return b.path
}

// build builds the program with build tags in addition to those of GOFLAGS.
func (b *built) build(tags []string) (err error) {
	if b.dir, err = os.MkdirTemp("", "analyzer-e2e-"); err != nil {
		return err
	}
	b.path = filepath.Join(b.dir, "analyzer")
	for _, flag := range strings.Fields(os.Getenv("GOFLAGS")) {
		if all, ok := strings.CutPrefix(flag, "-tags="); ok {
			tags = append(tags, all)
		}
	}
	args := []string{"build", "-race=" + strconv.FormatBool(race), "-tags=" + strings.Join(tags, ","), "-o", b.path, "analyzer/cmd/analyzer"}
	out, err := exec.Command("go", args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return nil
}

// Main runs the tests, and then stops the node and removes the programs. It returns
// the exit code.
func (s *Shared) Main(m *testing.M) int {
	code := s.Shared.Main(m)
	for _, b := range []*built{&s.program, &s.before} {
		if err := os.RemoveAll(b.dir); err != nil {
			fmt.Fprintln(os.Stderr, "remove the program:", err)
			code = max(code, 1)
		}
	}
	return code
}
