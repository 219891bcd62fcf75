package gateway

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/metadata"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
)

// TestAJobHasTheNewestVersionThatAllSpeak has workers and clients of this release, of the one
// before, of one that says nothing, and of the next.
func TestAJobHasTheNewestVersionThatAllSpeak(t *testing.T) {
	const newest, oldest = protocol.Version, protocol.Oldest
	for _, test := range []struct {
		client  int
		workers [2]int
		want    int
	}{
		{newest, [2]int{newest, newest}, newest},
		{newest + 1, [2]int{newest + 1, newest + 1}, newest},
		{newest, [2]int{newest, oldest}, oldest},
		{newest, [2]int{oldest, newest + 1}, oldest},
		{newest, [2]int{newest, 0}, oldest},
		{oldest, [2]int{newest, newest}, oldest},
		{0, [2]int{newest, newest}, oldest},
	} {
		c := startCluster(t, nil)
		for i, w := range c.workers {
			w.with(func() { w.speaks = test.workers[i] })
		}
		ann := c.client(annToken)
		if test.client > 0 {
			ann.ctx = metadata.AppendToOutgoingContext(ann.ctx, "analyzer-protocol", fmt.Sprint(test.client))
		}
		for range 2 {
			if got := c.open(ann, request()).Version; got != test.want {
				t.Errorf("client %d, workers %d: version %d, want %d", test.client, test.workers, got, test.want)
			}
		}
	}
}

// TestNoJobThatOlderProcessesMisread has a table whose lines are cut in a way that a worker of the version before, or a
// gateway beside it, does not know.
func TestNoJobThatOlderProcessesMisread(t *testing.T) {
	for _, speaks := range []int{protocol.Version, protocol.Oldest} {
		for _, d := range []columnar.Dialect{{Widths: []int{3, -1, 4}}, {Widths: []int{3, 1, 4}}, {Delimiter: columnar.Blanks, Last: 3}} {
			c := startCluster(t, nil)
			for _, w := range c.workers {
				w.with(func() { w.speaks = speaks })
			}
			ann, r := c.client(annToken), request()
			ann.ctx = protocol.Speaking(ann.ctx)
			table := *salesTable
			table.Dialect, r.Tables = d, []*columnar.Table{&table}
			_, err := ann.act(protocol.ActionOpen, r, nil)
			if misread := speaks < protocol.Version && !slices.Equal(d.Widths, []int{3, 1, 4}); misread != (protocol.CodeOf(err) == protocol.Refused) {
				t.Errorf("%+v, workers that speak %d: %v", d, speaks, err)
			}
		}
	}
}

// TestAWorkerThatBecomesOlder has an older program take the place of a worker. It refuses a job,
// and the next one has the version that it speaks.
func TestAWorkerThatBecomesOlder(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	ann.ctx = protocol.Speaking(ann.ctx)
	c.open(ann, request())
	w := c.workers[1]
	w.with(func() {
		w.speaks = protocol.Oldest
		w.answer = func(r *protocol.Request) *protocol.Response {
			if r.Action == protocol.ActionOpen && !strings.Contains(string(r.Spec), fmt.Sprintf(`"version":%d,`, protocol.Oldest)) {
				return &protocol.Response{Code: protocol.Refused, Error: "this process speaks an older version"}
			}
			return nil
		}
	})
	if _, err := ann.act(protocol.ActionOpen, request(), nil); protocol.CodeOf(err) != protocol.Refused {
		t.Errorf("the first job: %v", err)
	}
	if got := c.open(ann, request()).Version; got != protocol.Oldest {
		t.Errorf("the second job has version %d", got)
	}
}

// TestAJobOfANewerGateway asks for a job that a gateway of the next release has opened: others may
// know it.
func TestAJobOfANewerGateway(t *testing.T) {
	c := startCluster(t, nil)
	spec := testSpec(t, request())
	spec.Version = protocol.Version + 1
	for _, w := range c.workers {
		w.with(func() { w.specs[spec.ID] = spec })
	}
	_, err := c.client(annToken).act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, nil)
	if protocol.CodeOf(err) != protocol.Trouble || !strings.Contains(err.Error(), "ask another gateway") {
		t.Error(err)
	}
}
