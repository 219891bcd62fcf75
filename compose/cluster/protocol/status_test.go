package protocol

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"
)

func TestStatusIsThatOfAllReplicas(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	part := func(replica int, state State, change func(*Status)) Status {
		s := Status{Replicas: 3, State: state, Expires: at.Add(time.Duration(replica)), Rows: 10, Bytes: 100}
		if change != nil {
			change(&s)
		}
		return s
	}
	for name, test := range map[string]struct {
		parts  map[int]Status
		silent []int
		state  State
		reason string
	}{
		"all done":   {map[int]Status{0: part(0, Done, nil), 1: part(1, Done, nil)}, nil, Done, ""},
		"one runs":   {map[int]Status{0: part(0, Done, nil), 1: part(1, Running, nil)}, nil, Running, ""},
		"one silent": {map[int]Status{0: part(0, Done, nil)}, []int{1}, Running, ""},
		"one failed": {map[int]Status{
			0: part(0, Running, nil),
			1: part(1, Failing, func(s *Status) { s.Reason = "disk" }),
			2: part(2, Failing, func(s *Status) { s.Reason = "other" }),
		}, nil, Failing, "disk"},
		"ending": {map[int]Status{
			0: part(0, Ending, func(s *Status) { s.Reason = "done" }),
			1: part(1, Failing, func(s *Status) { s.Reason = "disk" }),
		}, nil, Ending, "done"},
	} {
		got := MergeStatus(test.parts, test.silent)
		if got.State != test.state || got.Reason != test.reason || !slices.Equal(got.Silent, test.silent) {
			t.Errorf("%s: %s %q %v, want %s %q", name, got.State, got.Reason, got.Silent, test.state, test.reason)
		}
		if got.Rows != int64(10*len(test.parts)) || !got.Expires.Equal(at) {
			t.Errorf("%s: %d rows, expires %v", name, got.Rows, got.Expires)
		}
	}
	got := MergeStatus(map[int]Status{
		1: part(1, Running, func(s *Status) {
			s.Stages = []Stage{
				{Stage: 2, Replicas: 1, Phases: map[Phase]int{Receiving: 1}, Batches: 3},
				{Stage: 1, Replicas: 1, Phases: map[Phase]int{Emitted: 1}, Batches: 4},
			}
			s.Answers, s.Waiting = []string{"q2"}, []string{"a"}
		}),
		0: part(0, Running, func(s *Status) {
			s.Stages = []Stage{{Stage: 1, Replicas: 1, Phases: map[Phase]int{Emitting: 1}, Batches: 5}}
			s.Answers, s.Waiting = []string{"q1", "q2"}, []string{"b"}
		}),
	}, nil)
	want := []Stage{
		{Stage: 1, Replicas: 2, Batches: 9, Phases: map[Phase]int{"done": 1, "emitting": 1}},
		{Stage: 2, Replicas: 1, Batches: 3, Phases: map[Phase]int{"receiving": 1}},
	}
	if !reflect.DeepEqual(got.Stages, want) || fmt.Sprint(got.Answers, got.Waiting) != "[q1 q2] [b a]" {
		t.Errorf("merged %+v", got)
	}
}
