package e2e_test

import (
	"flag"
	"os"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

var (
	shared e2e.Shared

	matrix    = flag.Bool("matrix", false, "run TestCrashMatrix and others that take minutes")
	kills     = flag.Int("kills", 3, "jobs of TestRandomKills")
	files     = flag.Int("files", 75, "files of TestManyAppends")
	histories = flag.Int("histories", 48, "numbers that TestHistories appends, below 256")
	gap       = flag.Duration("gap", 2*time.Second, "least time between two kills of TestManyAppends")
	seed      = flag.Uint64("seed", 0, "seed of TestRandomKills, TestFollowMatrix and TestHistories; 0: one of its own")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(shared.Main(m))
}

// lengthy leaves a test out where only some of them are wanted, as with the race
// detector, which the program then has too: it takes several times as long, and as
// much memory.
func lengthy(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it is left out with -short")
	}
}
