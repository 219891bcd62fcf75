package main

import (
	"testing"

	"analyzer/compose/cluster/protocol"
)

func TestWaitingTellsTheStagesThatAreDone(t *testing.T) {
	part := func(rows int64, first, second protocol.Phase) protocol.Status {
		return protocol.Status{State: protocol.Running, Rows: rows, Stages: []protocol.Stage{
			{Stage: 2, Replicas: 1, Phases: map[protocol.Phase]int{first: 1}},
			{Stage: 3, Replicas: 1, Phases: map[protocol.Phase]int{second: 1}},
		}}
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
	} {
		if got := waitingFor("q1", s); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
