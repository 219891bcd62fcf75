package sim

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"analyzer/compose/cluster/protocol"
)

// settle lets everything in flight arrive, sends late messages as well, and checks that
// nothing is left of any job, now and after the tombstones are gone.
func (w *world) settle() error {
	forget := remember
	if w.cfg.Clocks { // tombstones may date from the day after tomorrow
		w.clocks, forget = false, 3*remember
	}
	for _, n := range w.nodes {
		n.fuse, n.fate, n.disk.lack, n.disk.full, n.skew = -1, "", 0, false, 0
	}
	for range 2 {
		if err := w.calm(); err != nil {
			return err
		}
		if err := w.nothingLeft(); err != nil {
			return err
		}
		if err := w.blackout(); err != nil {
			return err
		}
		w.stragglers()
	}
	if err := w.calm(); err != nil {
		return err
	}
	if err := w.nothingLeft(); err != nil {
		return err
	}
	if err := w.tombstones(); err != nil {
		return err
	}
	w.note("the jobs are forgotten")
	w.time = w.time.Add(forget)
	for _, n := range w.nodes {
		if err := n.run(); err != nil {
			return err
		}
		n.proc.worker.Tick()
		if err := n.restart(n.proc, "the end of the world"); err != nil {
			return err
		}
		if err := n.empty("ended"); err != nil {
			return err
		}
	}
	return w.nothingLeft()
}

// blackout ends all processes and restarts the broker.
func (w *world) blackout() error {
	for _, n := range w.nodes {
		if err := n.restart(n.proc, "a blackout"); err != nil {
			return err
		}
	}
	w.broker.Crash()
	return nil
}

// stragglers sends messages and requests of ended jobs again, as from a process that does
// not know of the end.
func (w *world) stragglers() {
	late := w.broker.Connect(nil)
	publish := func(queue string, body []byte) {
		_ = late.Publish(context.Background(), queue, body, func(error) {}) // most of the queues are gone
	}
	for _, c := range w.clients {
		if c.job.Leave == GiveUp { // it has never sent anything else
			for range w.nodes {
				c.openLate()
			}
			continue
		}
		for _, t := range c.job.Tables {
			if len(t.Batches) == 0 {
				continue // it is of a cut
			}
			for _, m := range t.Batches[w.rng.IntN(len(t.Batches))] {
				publish(m.Queue, m.Body)
			}
		}
		for r := range w.nodes {
			for _, kind := range []protocol.Action{protocol.ActionStatus, protocol.ActionClean, protocol.ActionOpen} {
				if kind == protocol.ActionClean && r == 0 {
					continue // nobody sends that
				}
				q := c.request(protocol.Request{Action: kind, Job: c.job.Spec.ID})
				publish(protocol.ControlQueue(r), q)
			}
		}
	}
}

// calm runs the world until nothing happens any more, not even the expiry of a job.
func (w *world) calm() error {
	quiet := 0
	for range w.cfg.Steps {
		w.time = w.time.Add(haste * tick)
		if err := w.step(); err != nil {
			return err
		}
		quiet++
		if !w.quiet() {
			quiet = 0
		}
		if quiet > 300 {
			return nil
		}
	}
	return fmt.Errorf("there is no end of what happens: %s", w.stuck())
}

// quiet reports whether nothing is on its way and no worker has a job.
func (w *world) quiet() bool {
	if !w.empty() {
		return false
	}
	for _, n := range w.nodes {
		if len(n.proc.inbox) > 0 {
			return false
		}
	}
	return w.broker.Idle()
}

func (w *world) nothingLeft() error {
	for _, q := range w.broker.Queues() {
		if w.ofJob(q) && !w.orphaned(q) {
			return fmt.Errorf("the queue %s is left", q)
		}
	}
	for _, n := range w.nodes {
		if err := n.empty("jobs"); err != nil {
			return err
		}
	}
	return nil
}

// orphaned reports whether a queue is of a job that nobody may know of any more: its disks
// are lost, and its client is gone, or was told of the job's end before the loss. If two
// disks are lost, a late request may have opened the job on one of them in between.
func (w *world) orphaned(queue string) bool {
	return w.cfg.Wipes > 0 && slices.ContainsFunc(w.clients, func(c *client) bool {
		return (c.without == nil || w.cfg.Wipes > 1) && strings.Contains(queue, c.job.Spec.ID.String())
	})
}

// empty checks that a part of the state has nothing in it.
func (n *node) empty(part string) error {
	names, err := n.disk.List(stateDir + "/" + part)
	if err == nil && len(names) > 0 {
		err = fmt.Errorf("replica %d still has %s: %q", n.replica, part, names)
	}
	return err
}

// tombstones checks that every worker has tombstones of the jobs that it has forgotten, and
// no others.
func (w *world) tombstones() error {
	for _, n := range w.nodes {
		names, err := n.disk.List(stateDir + "/ended")
		if err != nil {
			return err
		}
		for _, name := range names {
			if !slices.ContainsFunc(w.clients, func(c *client) bool { return c.job.Spec.ID.String() == strings.TrimSuffix(name, ".tmp") }) {
				return fmt.Errorf("replica %d has a tombstone %s of nobody", n.replica, name)
			}
		}
	}
	return nil
}
