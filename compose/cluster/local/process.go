package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"
)

// process is what to run, again and again.
type process struct {
	name    string // for people
	program string
	args    []string
	env     []string
	log     string // file for its output
}

// Pauses before a process that died is started again.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
	// settled is how long a process must live to be counted as new when it dies.
	settled = 10 * time.Second
)

// deaths is how often one process may die in a row before the cluster was ever
// ready: more is not bad luck.
const deaths = 5

// keep runs the process until the context ends, and starts it again when it dies.
// Then it asks it to end, and kills it after grace. ready is closed once the
// cluster was.
func (p *process) keep(ctx context.Context, ready <-chan struct{}, grace time.Duration, notice func(string)) error {
	pause, died := firstPause, 0
	for {
		began := time.Now()
		err := p.run(ctx, grace)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was asked to end
		}
		if time.Since(began) > settled {
			pause, died = firstPause, 0
		}
		died++
		if died == deaths && !closed(ready) {
			return fmt.Errorf("%s does not start (%s); the end of its log:\n%s", p.name, ending(err), p.lastWords(6))
		}
		notice(strings.TrimSpace(fmt.Sprintf("%s died (%s); starting it again. %s", p.name, ending(err), p.lastError())))
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil
		}
		pause = min(2*pause, lastPause)
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// ending says how a process ended.
func ending(err error) string {
	if err == nil {
		return "it ended by itself"
	}
	return err.Error()
}

// run runs the process once. When the context ends, the process is asked to end,
// and killed when it takes longer than grace.
func (p *process) run(ctx context.Context, grace time.Duration) error {
	out, err := os.OpenFile(p.log, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = out.Close() }()
	cmd := exec.CommandContext(ctx, p.program, p.args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = p.env, out, out
	cmd.Cancel = func() error { return terminate(cmd.Process) }
	cmd.WaitDelay = grace
	ownGroup(cmd)
	// Linux ends the process with the thread that started it, which therefore
	// lives as long.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = cmd.Run()
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// lastError returns what the process said last before it ended with an error.
func (p *process) lastError() (text string) {
	for line := range strings.Lines(p.lastWords(20)) {
		if said, ok := strings.CutPrefix(line, "analyzer: "); ok {
			text = strings.TrimSpace(said)
		}
	}
	return text
}

// lastWords returns the last lines of the process's log.
func (p *process) lastWords(lines int) string {
	f, err := os.Open(p.log)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	const tail = 8 << 10
	text := make([]byte, tail)
	size, err := f.Seek(0, 2)
	if err != nil {
		return ""
	}
	n, _ := f.ReadAt(text, max(0, size-tail)) // as much as there is
	all := strings.Split(string(bytes.TrimSpace(text[:n])), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}
