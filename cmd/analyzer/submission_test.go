package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
)

func TestWaitingTellsTheStagesThatAreDone(t *testing.T) {
	part := func(rows int64, first, second protocol.Phase) protocol.Status {
		return protocol.Status{State: protocol.Running, Rows: rows, Stages: []protocol.Stage{
			{Stage: 2, Replicas: 1, Phases: map[protocol.Phase]int{first: 1}},
			{Stage: 3, Replicas: 1, Phases: map[protocol.Phase]int{second: 1}},
		}}
	}
	computing := func(rows, of int64, took time.Duration) protocol.Status {
		s := part(1, protocol.Computing, protocol.Receiving)
		s.Stages[0].Done, s.Stages[0].Todo, s.Stages[0].Took = rows, of, took
		return s
	}
	const in, out, done = protocol.Receiving, protocol.Emitting, protocol.Emitted
	for want, s := range map[string]*protocol.Status{
		"waiting for q1  0 of 2 stages  1,234 rows taken in": protocol.MergeStatus(
			map[int]protocol.Status{0: part(1234, out, in), 1: part(0, done, in)}, nil),
		"waiting for q1  1 of 2 stages  2 rows taken in": protocol.MergeStatus(
			map[int]protocol.Status{0: part(1, done, out), 1: part(1, done, done)}, nil),
		"waiting for q1  2 of 2 stages  1 row taken in": protocol.MergeStatus(
			map[int]protocol.Status{0: part(1, done, done)}, nil),
		"waiting for q1  1 of 2 stages  7 rows taken in  worker 1 is silent": protocol.MergeStatus(
			map[int]protocol.Status{0: part(7, done, in)}, []int{1}),
		"waiting for q1  0 of 2 stages  2 rows taken in  stage 2: 3,000 of 8,000 rows computed, 2,000/s": protocol.MergeStatus(
			map[int]protocol.Status{0: computing(2000, 5000, time.Second), 1: computing(1000, 3000, 1500*time.Millisecond)}, nil),
	} {
		if got := waitingFor("q1", s); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// TestEndedMeanwhile says of a job whose journal has gone while it was fed that somebody has ended it.
func TestEndedMeanwhile(t *testing.T) {
	u := feeder{&submission{job: &client.Job{Spec: &protocol.Spec{}}}}
	err := u.unappended(t.Context(), fmt.Errorf("read: %w", client.ErrNoJournal))
	if err == nil || !strings.Contains(err.Error(), "was ended here meanwhile") {
		t.Errorf("error %v", err)
	}
}
