package worker

import (
	"strings"
	"testing"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/envelope"
)

// Messages of all ports may come joined, more than once, and together with some that came
// alone.
func TestMessagesThatCameAsOne(t *testing.T) {
	w := newWorld(t, 2)
	j := newJob(w).open()
	j.send(1, 0)
	j.joined = make(map[string][]byte)
	j.upload().send(0, 1)
	for queue, body := range j.joined {
		w.publish(queue, body)
		w.publish(queue, body)
	}
	j.joined = nil
	j.send(1, 1)
	j.exact()
	j.finish()
}

// If one message of a delivery cannot be taken in, none is: every message in the ledger
// must be in the log, or wait with its delivery for the commit.
func TestNothingIsTakenInBesideWhatCannotBe(t *testing.T) {
	for name, spoil := range map[string]func(j *testJob, body []byte) []byte{
		"no message": func(_ *testJob, body []byte) []byte { return append(body, "this is none"...) },
		"cut short":  func(_ *testJob, body []byte) []byte { return body[:len(body)-1] },
		"of nobody": func(j *testJob, body []byte) []byte {
			e := j.envelope(j.join(1, 0), 0)
			e.Kind, e.Node = envelope.End, 99
			body, err := envelope.Append(body, e, nil)
			if err != nil {
				t.Fatal(err)
			}
			return body
		},
		"unreadable": func(j *testJob, body []byte) []byte {
			e := j.envelope(j.join(1, 0), 0)
			e.Kind, e.Rows = envelope.Data, 1
			body, err := envelope.Append(body, e, []byte("no rows"))
			if err != nil {
				t.Fatal(err)
			}
			return body
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 1)
			j := newJob(w).open()
			j.joined = make(map[string][]byte)
			for b := range batches(filmCount) {
				j.send(0, b)
			}
			j.end(0)
			queue := j.spec.Queue(0)
			w.publish(queue, spoil(j, j.joined[queue]))
			var s *protocol.Status
			w.until("it fails", func() bool {
				s = j.status(0).Status
				return s.State == protocol.Failing
			})
			if !strings.Contains(s.Reason, "cannot be taken in") || s.Rows != 0 || s.Stages[0].Batches != 0 {
				t.Errorf("%+v", s)
			}
			j.finish()
		})
	}
}
