package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"analyzer/compose/cluster/protocol"
)

// TestFollowedSweep follows runs in one process. Their final answers are those of any other run.
func TestFollowedSweep(t *testing.T) {
	c := sweepAs(t, "serve", "movies")
	c.Scales, c.Seed, c.Follow, c.Pages = []float64{0.005}, 1, []Following{AtEnd, ByShares, "1ms"}, []int{0, 2}
	r, err := Sweep(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Err(); err != nil {
		t.Error(err)
	}
	cells := r.Workloads[0].Cells
	if len(cells) != 3 {
		t.Fatalf("%d cells, want 3: there are no pages without a cluster", len(cells))
	}
	for i, cell := range cells {
		if cuts := cell.Runs[0].Cuts; (cuts > 0) != (i > 0) {
			t.Errorf("%s: %d cuts", cell.Setting, cuts)
		}
	}
}

// TestFollowedReport shows what following costs.
func TestFollowedReport(t *testing.T) {
	at := func(f Following, pages int, run Run) Cell {
		run.Bytes, run.Answers = 1e9, "a"
		return Cell{Setting{Transport: RabbitMQ, Replicas: 2, Follow: f, Pages: pages}, []Run{run}}
	}
	r := &Report{Workloads: []Result{{Name: "movies", Cells: []Cell{
		at(AtEnd, 0, Run{Wall: 4}),
		at(AtEnd, 4, Run{Wall: 5}),
		at("1s", 0, Run{Wall: 8, Cuts: 7, Delay: Delay{Median: 0.75, Worst: 1.5}}),
	}}}}
	var b bytes.Buffer
	if err := r.WriteTable(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"4  0.80", "1s         0.50     7  0.75 (1.50)"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, b.String())
		}
	}
	for line := range strings.Lines(b.String()) {
		if utf8.RuneCountInString(line) > 101 {
			t.Errorf("too wide: %s", line)
		}
	}
	if err := Broken(Limits{FollowCost: 1.9}.Hold(r)); err == nil || !strings.Contains(err.Error(), "answers by 1s takes 2.00 times") {
		t.Errorf("half of the throughput is taken for enough: %v", err)
	}
	if err := Broken(Limits{FollowCost: 2.1}.Hold(r)); err != nil {
		t.Error(err)
	}
}

// TestDelays counts each block once, with the first answer that holds it.
func TestDelays(t *testing.T) {
	f := newFollowed()
	if d := f.delay(); d != (Delay{}) {
		t.Errorf("nothing was read, and waited %v", d)
	}
	f.answered(map[string]uint64{"t": 3}) // it is not known when these blocks were read
	if len(f.waited) > 0 || f.before["t"] != 3 {
		t.Errorf("%v waited, %v blocks were answered for", f.waited, f.before)
	}
	f.waited = []float64{3, 1, 2}
	if d := f.delay(); d != (Delay{Median: 2, Worst: 3}) {
		t.Errorf("%v, want a median of 2 and at worst 3", d)
	}
}

// TestLookOn opens pages, and checks that pages without events are an error.
func TestLookOn(t *testing.T) {
	job := protocol.NewJobID()
	opened := make(chan string, 3)
	shows := "event: job\n\n"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, shows)
		_ = http.NewResponseController(w).Flush()
		opened <- r.URL.Path
		<-r.Context().Done()
	}))
	defer s.Close()
	for _, fails := range []bool{false, true} {
		stop := lookOn(t.Context(), strings.TrimPrefix(s.URL, "http://"), job, 3)
		for range 3 {
			if path := <-opened; path != "/v1/jobs/"+job.String()+"/events" {
				t.Errorf("page %s was opened", path)
			}
		}
		time.Sleep(10 * time.Millisecond) // what was sent is read
		if err := stop(); (err != nil) != fails || errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("shown %q: %v", shows, err)
		}
		shows = ""
	}
}

func TestFollowingIsRead(t *testing.T) {
	for text, good := range map[Following]bool{AtEnd: true, ByShares: true, "250ms": true, "-1s": false, "soon": false} {
		if _, err := text.every(); (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
	}
}
