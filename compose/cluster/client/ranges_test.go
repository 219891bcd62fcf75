package client

import (
	"errors"
	"fmt"
	"testing"

	"analyzer/columnar/csv"
	"analyzer/columnar/scan"
	"analyzer/compose/cluster/protocol"
)

// Ranges are read in any order, some by what is known and some by guesses; what they show has the lines of the
// file, and edges that do not meet are found whichever range comes last.
func TestRangesMeet(t *testing.T) {
	file := []csv.Passage{
		{Before: csv.Edge{Line: 1}, After: csv.Edge{Line: 11}},
		{Before: csv.Edge{Line: 1}, After: csv.Edge{Line: 21, Inside: true}}, // guessed: 20 lines
		{Before: csv.Edge{Line: 31, Inside: true}, After: csv.Edge{Line: 36}},
		{Before: csv.Edge{Line: 1}, After: csv.Edge{Line: 2}},
	}
	for last := range file {
		for wrong := range len(file) + 1 {
			r, meet := make(ranges, len(file)), true
			for i := range file {
				at := (last + 1 + i) % len(file)
				p := file[at]
				if at == wrong {
					p.Before.Inside = !p.Before.Inside
				}
				if r.before(at) != nil && at > 0 && r[at-1] == nil {
					t.Errorf("it is known what precedes range %d", at)
				}
				meet = r.add(at, &p) && meet
			}
			if meet != (wrong == 0 || wrong == len(file)) { // nothing precedes the first one
				t.Errorf("the last is %d and %d is wrong: they meet: %v", last, wrong, meet)
			}
			for at, first := range []int64{1, 11, 31, 36} {
				s := scan.Stats{Samples: []scan.Reject{{Line: r[at].Before.Line + 3}}}
				if r.number(at, &s); s.Samples[0].Line != first+3 {
					t.Errorf("line %d of range %d, which begins with line %d", s.Samples[0].Line, at, first)
				}
			}
		}
	}
	if make(ranges, 2).add(0, nil) {
		t.Error("a range meets others of which nothing is said")
	}
}

func TestMisled(t *testing.T) {
	for err, want := range map[error]bool{
		nil: false, fmt.Errorf("table t: %w", &scan.InputError{File: "f", Line: 3}): true, errors.New("the broker is away"): false,
		protocol.Errorf(protocol.TooLarge, "it is"): true, protocol.Errorf(protocol.JobEnded, "it has"): false, protocol.ErrLost: false,
	} {
		if misled(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}
