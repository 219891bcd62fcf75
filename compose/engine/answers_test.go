package engine_test

import (
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	"analyzer/compose/engine"
	"analyzer/operators"
)

// sink is an Answers that fails at the n-th call.
type sink struct {
	left    int
	failed  error
	calls   []string
	largest int
}

func (s *sink) call(name string) error {
	s.calls = append(s.calls, name)
	if s.left--; s.left == 0 {
		return s.failed
	}
	return nil
}

func (s *sink) Begin(query string, _ columnar.Schema) error { return s.call("begin " + query) }
func (s *sink) End() error                                  { return s.call("end") }

func (s *sink) Write(rows columnar.Rows) error {
	s.largest = max(s.largest, rows.Len)
	return s.call("write")
}

// TestAnswersThatFail makes each call of Answers fail in turn: the run ends with that
// error, names the query, and makes no further calls.
func TestAnswersThatFail(t *testing.T) {
	failed := errors.New("the pipe is closed")
	j := newSpillingCase(t).on(t, vfs.NewMem())
	for _, memory := range []int64{0, 1} {
		for n := 1; ; n++ {
			if testing.Short() && n > 3 {
				break
			}
			s := &sink{left: n, failed: failed}
			_, err := j.runInto(t, t.Context(), engine.Options{Replicas: 2, Memory: memory}, s)
			if len(s.calls) < n {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			if len(s.calls) > n || !errors.Is(err, failed) || !strings.Contains(err.Error(), "query ") {
				t.Errorf("call %d of %q fails; the run ends with %v", n, s.calls, err)
			}
		}
	}
}

// TestAnswersComeInOrder checks that calls are in the order of the queries, and that no batch
// is larger than a page.
func TestAnswersComeInOrder(t *testing.T) {
	j := newSpillingCase(t).on(t, vfs.NewMem())
	s := &sink{}
	if _, err := j.runInto(t, t.Context(), engine.Options{Replicas: 3}, s); err != nil {
		t.Fatal(err)
	}
	var queries []string
	open := false
	for _, call := range s.calls {
		query, begins := strings.CutPrefix(call, "begin ")
		if begins {
			queries = append(queries, query)
		}
		if begins == open {
			t.Fatalf("%q", s.calls)
		}
		open = call != "end"
	}
	if strings.Join(queries, " ") != "join outer aggregate percentile window total" || open || s.largest > operators.PageRows {
		t.Errorf("%q, the largest batch has %d rows", s.calls, s.largest)
	}
}

// TestProgress checks that Progress is called from one goroutine at a time, and never goes back.
func TestProgress(t *testing.T) {
	d := small(t, "books")
	scale := 0.01 // the run takes several of the intervals at which it tells
	if testing.Short() {
		scale = 0.003
	}
	j := ofDataset(d, vfs.OS(), generated(t, d, scale), "")
	var within atomic.Int32
	var last engine.Progress
	told := 0
	got := j.answer(t, engine.Options{Replicas: 2, BlockSize: 3000, Memory: 1, Progress: func(p engine.Progress) {
		if within.Add(1) > 1 {
			t.Error("told from two goroutines at once")
		}
		defer within.Add(-1)
		if p.Bytes < last.Bytes || p.Rows < last.Rows || p.Spilled < last.Spilled {
			t.Errorf("from %+v to %+v", last, p)
		}
		if p.Doing != "books" && p.Doing != "reviews" && p.Doing != "waiting for keys" {
			t.Errorf("%q is read", p.Doing)
		}
		last, told = p, told+1
	}})
	if told == 0 || last.Rows > got.report.Rows || last.Bytes > got.report.Bytes {
		t.Errorf("told %d times, in the end %+v; the run read %d rows, %d bytes", told, last, got.report.Rows, got.report.Bytes)
	}
}
