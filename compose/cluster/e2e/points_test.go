package e2e_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"analyzer/compose/answers"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets/catalog"
)

// passes says, for a point, at which passes to end the process: one of the first
// and one in the midst of a job on the samples in blocks of 2 KiB, which is some
// 600 to 1000 messages to each worker, in as many parcels as the broker's pace makes of
// them. Each is passed in every job.
var passes = map[string][2]int{
	worker.PointReceive: {1, 24}, worker.PointDecode: {1, 24}, worker.PointDedup: {1, 300},
	worker.PointAppend: {1, 15}, worker.PointAckPartial: {1, 12}, worker.PointAcked: {1, 12},
	worker.PointCompute: {1, 3}, worker.PointFreeze: {1, 3},
	worker.PointEmitPartial: {1, 2}, worker.PointPublishPartial: {1, 3}, worker.PointPublishAll: {1, 4},
	worker.PointConfirm: {1, 5}, worker.PointEndOfTable: {1, 4}, worker.PointCleanUp: {1, 1},
	worker.PointFsync: {1, 40}, worker.PointManifest: {1, 25}, worker.PointRename: {1, 25},
	worker.PointDirectorySync: {6, 45}, // some when a worker starts

	gateway.PointOpened: {1, 1}, gateway.PointAccept: {1, 60}, gateway.PointHalfForward: {1, 12}, gateway.PointPreAck: {1, 60},

	answers.PointSinkCommit: {1, 3},
}

// diet is how workers are fed: how many messages the broker sends ahead, how many bytes of them may
// wait for a commit, and of how large blocks they are made. A commit holds many, or one alone, and
// what stages make of them, unless all of it is logged first.
type diet struct {
	prefetch int
	bytes    string
	block    string
	// Of messages and of commits there are so many times fewer than passes counts on.
	messages, commits int
}

var diets = []diet{{1, "1", "16KiB", 8, 1}, {64, "8KiB", "2KiB", 1, 3}, {1000, "4MiB", "2KiB", 1, 3}}

// flags put workers on a diet.
func (d diet) flags() []string {
	return []string{"--prefetch", strconv.Itoa(d.prefetch), "--commit-bytes", d.bytes}
}

// passes returns the passes of a point at which to end the process.
func (d diet) passes(point string) [2]int {
	fewer := 1
	switch point {
	case worker.PointReceive, worker.PointDecode, worker.PointDedup,
		gateway.PointAccept, gateway.PointHalfForward, gateway.PointPreAck:
		fewer = d.messages
	case worker.PointAppend, worker.PointAckPartial, worker.PointAcked,
		worker.PointFsync, worker.PointManifest, worker.PointRename, worker.PointDirectorySync:
		fewer = d.commits
	}
	p := passes[point]
	p[1] = max(p[0], p[1]/fewer)
	return p
}

// shot is one way to end one process in the course of one job.
type shot struct {
	dataset string
	point   string
	pass    int
	replica int // of the worker
	diet    diet
}

func (s shot) at() string { return fmt.Sprintf("%s:%d", s.point, s.pass) }

// process names the process that dies.
func (s shot) process() string {
	switch {
	case s.point == answers.PointSinkCommit:
		return "client"
	case slices.Contains(gateway.Points(), s.point):
		return "gateway 0"
	}
	return fmt.Sprintf("worker %d", s.replica)
}

// points returns all points there are.
func points() []string {
	return append(append(worker.Points(), gateway.Points()...), answers.Points()...)
}

// blocks makes a job of many messages on few rows, so that more are on their way
// than the broker sends ahead.
var blocks = []string{"--block-size", "2KiB"}

// verdict is what has become of a job.
type verdict struct {
	hit         bool
	same, other []string // answers that are exact, and that are not
	result      e2e.Result
}

// good reports whether the point was hit and all answers are exact.
func (v verdict) good(queries int) bool {
	return v.hit && v.result.Code == 0 && len(v.other) == 0 && len(v.same) == queries
}

// fire submits a job, and the process passes the point. Queues that are left are
// looked for after the last job: to ask the broker for them takes as long as a job.
func fire(t *testing.T, c *e2e.Cluster, s shot) (v verdict) {
	t.Helper()
	out := c.Scratch()
	args := []string{s.dataset, "--output", out, "--block-size", s.diet.block}
	if s.point == answers.PointSinkCommit {
		v.hit, v.result = fireAtSink(t, c, s, out, args)
	} else {
		p := c.Process(s.process())
		if p.Crash(s.at()); p.Kind() == "gateway" {
			c.AwaitListening(p)
		}
		v.result = c.Submit(t.Context(), args...)
		c.Quiet()
		v.hit = p.WasHit()
		p.Calm()
	}
	v.same, v.other = c.ExactFiles(out, s.dataset)
	return v
}

// fireAtSink ends the client between two of the answers it has received, and
// another one goes on.
func fireAtSink(t *testing.T, c *e2e.Cluster, s shot, out string, args []string) (hit bool, r e2e.Result) {
	t.Helper()
	killed := c.Begin(t.Context(), s.at(), c.Submission(args...)...).Wait()
	if have, _ := c.ExactFiles(out, s.dataset); len(have) != s.pass-1 {
		t.Errorf("%v: the killed client has left %q", s, have)
	}
	r = c.Submit(t.Context(), "--resume", killed.Job(), "--output", out)
	c.Quiet()
	return killed.Killed, r
}

// TestEveryPoint ends a process at each point once: in a job, and in the midst of
// it. make crash-matrix does so on each diet.
func TestEveryPoint(t *testing.T) {
	t.Parallel()
	for turn, d := range diets {
		t.Run(fmt.Sprintf("prefetch %d", d.prefetch), func(t *testing.T) {
			t.Parallel()
			c := shared.Start(t, e2e.Options{Gateways: 2, WorkerFlags: d.flags()})
			everyPoint(t, c, turn)
			if !t.Failed() {
				c.Leftovers()
			}
		})
	}
}

// everyPoint ends a process at each of the points that are a diet's turn.
func everyPoint(t *testing.T, c *e2e.Cluster, turn int) {
	t.Helper()
	for i, point := range points() {
		if i%len(diets) != turn || testing.Short() && i%7 != 0 {
			continue
		}
		d := catalog.All()[i/len(diets)%len(catalog.All())]
		s := shot{dataset: d.Name, point: point, pass: diets[turn].passes(point)[1], replica: i % 2, diet: diets[turn]}
		t.Run(point, func(t *testing.T) {
			v := fire(t, c, s)
			if !v.good(len(d.Queries)) {
				t.Errorf("%+v: hit %v, exact %q, not exact %q\n%s", s, v.hit, v.same, v.other, v.result.Stderr)
			}
			t.Logf("%+v in %v", s, v.result.Took)
		})
		if t.Failed() {
			return
		}
	}
}
