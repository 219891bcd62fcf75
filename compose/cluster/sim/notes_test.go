package sim

import (
	"fmt"
	"log/slog"
	"strings"

	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
)

func (w *world) note(format string, args ...any) {
	if w.cfg.Trace != nil {
		w.cfg.Trace(fmt.Sprintf("%6d ", w.moments) + fmt.Sprintf(format, args...))
	}
}

// logger makes what a worker logs part of the notes.
func (w *world) logger(replica int) *slog.Logger {
	if w.cfg.Trace == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(noteWriter{w, replica}, &slog.HandlerOptions{
		ReplaceAttr: func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
}

type noteWriter struct {
	w       *world
	replica int
}

func (n noteWriter) Write(p []byte) (int, error) {
	n.w.note("replica %d logs %s", n.replica, strings.TrimSpace(string(p)))
	return len(p), nil
}

// stuck says, for people, what everybody waits for.
func (w *world) stuck() string {
	var b strings.Builder
	for i, c := range w.clients {
		fmt.Fprintf(&b, "client %d: gone %t, ending %t, opened %v, ends %v; ", i, c.gone, c.ending, c.opened, c.ends)
	}
	for _, n := range w.nodes {
		if n.proc == nil {
			fmt.Fprintf(&b, "replica %d is down; ", n.replica)
			continue
		}
		for _, id := range n.proc.worker.Jobs(w.owner(), protocol.JobID{}) {
			store, err := segment.OpenStore(n.disk, stateDir+"/jobs/"+id.String())
			if err != nil {
				fmt.Fprintf(&b, "replica %d job %s: %v; ", n.replica, id, err)
				continue
			}
			_, state, _ := strings.Cut(string(store.Payload()), `{"ledger"`) // behind the job's spec
			fmt.Fprintf(&b, "replica %d job %s, waits to run %t, has written %s; ", n.replica, id, n.proc.steps[id] != nil, state)
		}
	}
	for _, q := range w.broker.Queues() {
		if ready, held, _ := w.broker.Depth(q); ready+held > 0 {
			fmt.Fprintf(&b, "%s: %d ready, %d held; ", q, ready, held)
		}
	}
	return b.String()
}
