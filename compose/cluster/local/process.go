package local

import (
	"context"
	"fmt"
	"strings"
	"time"

	"analyzer/process"
)

// member is a process of the cluster.
type member struct {
	name string // for people
	process.Spec
}

// deaths is how often one process may die in a row before the cluster was ever
// ready: more is not bad luck.
const deaths = 5

// keep runs the process until the context ends, and starts it again when it dies.
// Then it asks it to end, and kills it after grace. ready is closed once the
// cluster was.
func (m *member) keep(ctx context.Context, ready <-chan struct{}, grace time.Duration, notice func(string)) error {
	died := func(how error, inARow int) error {
		if inARow == deaths && !closed(ready) {
			return fmt.Errorf("%s does not start (%s); the end of its log:\n%s", m.name, ending(how), process.Tail(m.Log, 6))
		}
		notice(strings.TrimSpace(fmt.Sprintf("%s died (%s); starting it again. %s", m.name, ending(how), m.lastError())))
		return nil
	}
	return process.Keeper{Spec: m.Spec, Grace: grace, Died: died}.Keep(ctx)
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

// lastError returns what the process said last before it ended with an error.
func (m *member) lastError() (text string) {
	for line := range strings.Lines(process.Tail(m.Log, 20)) {
		if said, ok := strings.CutPrefix(line, "analyzer: "); ok {
			text = strings.TrimSpace(said)
		}
	}
	return text
}
