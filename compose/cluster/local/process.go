package local

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"analyzer/compose/cluster/supervisor"
	"analyzer/process"
)

// keeper is one process of a cluster without supervisors.
type keeper struct {
	name string // for people
	process.Spec
}

// deaths is how often one process may die in a row before the cluster was ever
// ready: more is not bad luck.
const deaths = 5

// ErrDoesNotStart says that a process of the cluster ends soon after each start.
var ErrDoesNotStart = errors.New("does not start")

func doesNotStart(name, why, log string) error {
	return fmt.Errorf("%s %w (%s); the end of its log:\n%s", name, ErrDoesNotStart, why, log)
}

// keep runs the process until the context ends, and starts it again when it dies.
// Then it asks it to end, and kills it after grace. ready is closed once the
// cluster was.
func (k *keeper) keep(ctx context.Context, ready <-chan struct{}, grace time.Duration, notice func(string)) error {
	died := func(how error, inARow int) error {
		if inARow == deaths && !closed(ready) {
			return doesNotStart(k.name, process.Ending(how), process.Tail(k.Log, 6))
		}
		notice(strings.TrimSpace(fmt.Sprintf("%s died (%s); starting it again. %s", k.name, process.Ending(how), supervisor.LastError(process.Tail(k.Log, 20)))))
		return nil
	}
	return process.Keeper{Spec: k.Spec, Grace: grace, Died: died}.Keep(ctx)
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
