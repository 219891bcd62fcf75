package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

// TestWatchedDirectory has a directory watched in which logs grow and are rotated, and new files
// appear, while workers, gateways and the watching client are killed: each row counts once.
func TestWatchedDirectory(t *testing.T) {
	lengthy(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{GatewayFlags: []string{"--http", address}})
	w := web{t: t, base: "http://" + address}
	awaitPage(c, w)
	f := openAppends(c, w)

	logs := &logs{t: t, dir: t.TempDir()}
	stop := killAnybody(f.cluster, rng.Uint64())
	killed := 0
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); {
		k := c.Begin(t.Context(), "", "append", f.job, "--watch", "t="+logs.dir, "--every", "50ms", "--format", "jsonl", "--gateway", c.Gateways())
		for until := time.Now().Add(time.Duration(rng.IntN(1500)) * time.Millisecond); time.Now().Before(until); {
			logs.step(rng)
			time.Sleep(20 * time.Millisecond)
		}
		k.Kill()
		k.Wait()
		killed++
	}
	t.Logf("%d rows; %d kills of nodes and %d of the client", logs.rows, stop(), killed)
	for range 100 {
		if r := c.Command(t.Context(), "append", f.job, "--watch", "t="+logs.dir, "--gateway", c.Gateways()); r.Code == 0 {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	f.close(logs.rows, logs.rows*(logs.rows+1)/2)
}

// logs writes files of rows that are numbered from 1.
type logs struct {
	t    *testing.T
	dir  string
	rows int
	old  int // logs that were rotated
}

// step adds rows to the log, gives it another name, or exports a file.
func (l *logs) step(rng *rand.Rand) {
	current := filepath.Join(l.dir, "log.csv")
	switch rng.IntN(12) {
	case 0:
		if _, err := os.Stat(current); err == nil {
			l.old++
			l.must(os.Rename(current, fmt.Sprintf("%s.%d", current, l.old)))
		}
	case 1:
		l.add(filepath.Join(l.dir, fmt.Sprintf("export-%d.csv", l.rows)), 1+rng.IntN(2000))
	default:
		l.add(current, 1+rng.IntN(20))
	}
}

// add appends rows to a file, in writes that do not end with rows.
func (l *logs) add(path string, n int) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	l.must(err)
	at, err := f.Seek(0, 2)
	l.must(err)
	var text strings.Builder
	if at == 0 {
		text.WriteString("v\n")
	}
	for range n {
		l.rows++
		fmt.Fprintf(&text, "%d\n", l.rows)
	}
	half := text.Len() / 2
	for _, part := range []string{text.String()[:half], text.String()[half:]} {
		_, err = f.WriteString(part)
		l.must(err)
	}
	l.must(f.Close())
}

func (l *logs) must(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}
