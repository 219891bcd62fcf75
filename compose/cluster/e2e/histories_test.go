package e2e_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/page"
)

// TestHistories has clients append to an open job, ask it for cuts and close it, all at the same time and
// by two gateways, while processes are killed. What they were told must have an order in which each thing
// takes place at once, between its request and its answer: an append that was answered for is in every cut
// that is asked for behind it, what one cut has no later one lacks, and nothing is added once the job is
// closed (M. Herlihy, J. Wing, “Linearizability: A Correctness Condition for Concurrent Objects”, 1990).
func TestHistories(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c, webs := twoGateways(t)
	h := &history{t: t, cluster: c, webs: webs}
	h.open()

	chosen := *seed
	if chosen == 0 {
		chosen = rand.Uint64()
	}
	var clients sync.WaitGroup
	const writers, readers = 3, 2
	for i := range writers {
		clients.Go(func() { h.write(choices(chosen, i), i, writers) })
	}
	for i := writers; i < writers+readers; i++ {
		clients.Go(func() { h.read(choices(chosen, i), i) })
	}
	clients.Go(func() { h.close(choices(chosen, writers+readers), writers+readers) })
	clients.Go(func() { h.kill(choices(chosen, writers+readers+1)) })
	clients.Wait()
	h.end(choices(chosen, 0))

	result, info := porcupine.CheckOperationsVerbose(h.model(), h.operations, time.Minute)
	t.Logf("%d operations under %d kills, with seed %d: %s", len(h.operations), *histories/perKill, chosen, result)
	if result != porcupine.Ok {
		picture := filepath.Join(t.ArtifactDir(), "history.html")
		t.Errorf("no order explains the history, which %s shows (%v); -seed %d kills the same again", picture, porcupine.VisualizePath(h.model(), info, picture), chosen)
	}
	c.Leftovers()
}

// choices returns what a client chooses by.
func choices(seed uint64, client int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(client))) }

// history is what the clients of an open job asked and were told.
type history struct {
	t       *testing.T
	cluster *e2e.Cluster
	webs    []web
	job     string
	done    atomic.Int64 // appends
	closed  atomic.Bool

	mu         sync.Mutex
	operations []porcupine.Operation
	doubtful   []int // those that may have taken place although they were refused
}

// numbers is a set of numbers below 256.
type numbers [4]uint64

func (s numbers) with(n int) numbers {
	s[n/64] |= 1 << (n % 64)
	return s
}

func (s numbers) has(n int) bool { return s[n/64]&(1<<(n%64)) != 0 }

// request and response are one operation: an append of a number, a cut, the close, or the last answers.
type (
	request struct {
		do     string
		number int
	}
	response struct {
		refused bool // since the job is closed
		found   numbers
	}
	state struct {
		closed bool
		table  numbers
	}
)

func (h *history) model() porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(before, asked, told any) (possible bool, after any) {
			s, q, r := before.(state), asked.(request), told.(response)
			switch q.do {
			case "append":
				if r.refused {
					return s.closed, s
				}
				possible, s.table = !s.closed, s.table.with(q.number)
				return possible, s
			case "close":
				s.closed = true
				return true, s
			case "answers":
				return s.closed && s.table == r.found, s
			}
			return s.table == r.found, s
		},
		DescribeOperation: func(asked, told any) string { return fmt.Sprintf("%v: %x", asked, told) },
	}
}

func (h *history) open() {
	var job page.Job
	h.webs[0].want(http.StatusCreated, &job, "POST", "/v1/jobs", strings.NewReader(
		`{"tables": "CREATE TABLE t (v INTEGER) FROM 't.csv'", "sql": {"q": "SELECT v, count(*) AS n FROM t GROUP BY v ORDER BY v"}, "open": true, "ttl": "1h"}`))
	h.job = "/v1/jobs/" + job.Job.String()
}

// note adds an operation that began at a time and ends now.
func (h *history) note(client int, asked request, began time.Time, told response) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.operations = append(h.operations, porcupine.Operation{ClientId: client, Input: asked, Call: began.UnixNano(), Output: told, Return: time.Now().UnixNano()})
}

// try sends a request to one of the gateways.
func (h *history) try(rng *rand.Rand, method, path string, body []byte) (status int, said []byte) {
	return h.webs[rng.IntN(len(h.webs))].ask(method, path, bytes.NewReader(body))
}

// until tries a request until its status is one that is wanted, for two minutes.
func (h *history) until(rng *rand.Rand, wanted int, method, path string) (said []byte, ok bool) {
	status := 0
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond) {
		if status, said = h.try(rng, method, path, nil); status == wanted {
			return said, true
		}
	}
	h.t.Errorf("%s %s: status %d, want %d: %s", method, path, status, wanted, said)
	return nil, false
}

// write appends every step-th number from first on.
func (h *history) write(rng *rand.Rand, first, step int) {
	for n := first; n < *histories && !h.t.Failed(); n += step {
		h.append(rng, first, n)
	}
}

// close closes the job once three quarters of all numbers are there.
func (h *history) close(rng *rand.Rand, client int) {
	h.await(*histories * 3 / 4)
	began := time.Now()
	if _, ok := h.until(rng, http.StatusOK, "POST", h.job+"/close"); ok {
		h.note(client, request{do: "close"}, began, response{})
	}
	h.closed.Store(true)
}

// perKill is how many appends are between two kills.
const perKill = 6

// kill kills a process again and again, however fast the machine is.
func (h *history) kill(rng *rand.Rand) {
	for n := perKill; n <= *histories; n += perKill {
		h.await(n)
		processes := h.cluster.Processes()
		processes[rng.IntN(len(processes))].Kill()
	}
}

// await waits until so many appends are done, or the test has failed.
func (h *history) await(appends int) {
	for h.done.Load() < int64(appends) && !h.t.Failed() {
		time.Sleep(time.Millisecond)
	}
}

// append appends a number until that is answered for, or refused since the job is closed.
func (h *history) append(rng *rand.Rand, client, n int) {
	began := time.Now()
	for tries := 0; time.Since(began) < 2*time.Minute; tries++ {
		status, said := h.try(rng, "POST", h.job+"/tables/t", textOf(n))
		refused := status == http.StatusConflict && bytes.Contains(said, []byte("closed"))
		if refused && tries > 0 {
			h.mu.Lock()
			h.doubtful = append(h.doubtful, len(h.operations))
			h.mu.Unlock()
		}
		if refused || status == http.StatusOK || status == http.StatusCreated {
			h.note(client, request{do: "append", number: n}, began, response{refused: refused})
			h.done.Add(1)
			return
		}
		time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
	}
	h.t.Errorf("%d was neither appended nor refused", n)
}

// read asks for cuts until the job is closed.
func (h *history) read(rng *rand.Rand, client int) {
	for began := time.Now(); !h.closed.Load() && !h.t.Failed(); {
		status, said := h.try(rng, "POST", h.job+"/cut", nil)
		var cut page.Job
		if status != http.StatusCreated || json.Unmarshal(said, &cut) != nil {
			time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
			continue
		}
		path := "/v1/jobs/" + cut.Job.String()
		if found, ok := h.answer(rng, path); ok {
			h.note(client, request{do: "cut"}, began, response{found: found})
		}
		h.until(rng, http.StatusNoContent, "DELETE", path)
		began = time.Now()
	}
}

// answer fetches an answer, and fails if a number comes twice.
func (h *history) answer(rng *rand.Rand, job string) (found numbers, ok bool) {
	said, ok := h.until(rng, http.StatusOK, "GET", job+"/answers/q?format=csv")
	if !ok {
		return found, false
	}
	for _, line := range strings.Fields(string(said))[1:] {
		var n, times int
		if _, err := fmt.Sscanf(line, "%d,%d", &n, &times); err != nil || n >= *histories || times != 1 {
			h.t.Errorf("%q in the answer (%v): there are %d numbers, each of them once", line, err, *histories)
			return found, false
		}
		found = found.with(n)
	}
	return found, true
}

// end fetches the last answers. They show which appends took place of those that were refused when they
// were tried again.
func (h *history) end(rng *rand.Rand) {
	began := time.Now()
	found, ok := h.answer(rng, h.job)
	if !ok {
		return
	}
	h.note(0, request{do: "answers"}, began, response{found: found})
	for _, i := range h.doubtful {
		o := &h.operations[i]
		o.Output = response{refused: !found.has(o.Input.(request).number)}
	}
	for job := range h.cluster.Jobs() { // cuts whose opening was not answered as well
		h.until(rng, http.StatusNoContent, "DELETE", "/v1/jobs/"+job)
	}
}

// TestHistoryModel has histories that no order explains refused.
func TestHistoryModel(t *testing.T) {
	add := func(n int) request { return request{do: "append", number: n} }
	found := func(all ...int) (r response) {
		for _, n := range all {
			r.found = r.found.with(n)
		}
		return r
	}
	for name, test := range map[string]struct {
		asked []request
		told  []response // each before the next request is sent
		at    []int64    // but where a request is sent at another time
		want  porcupine.CheckResult
	}{
		"in order":                  {[]request{add(1), {do: "cut"}, {do: "close"}, add(2), {do: "answers"}}, []response{{}, found(1), {}, {refused: true}, found(1)}, nil, porcupine.Ok},
		"a cut meanwhile":           {[]request{add(1), {do: "cut"}, {do: "cut"}}, []response{{}, found(), found(1)}, []int64{0, 0, 0}, porcupine.Ok},
		"an append is lost":         {[]request{add(1), add(2), {do: "cut"}}, []response{{}, {}, found(2)}, nil, porcupine.Illegal},
		"a cut goes back":           {[]request{add(1), {do: "cut"}, {do: "cut"}}, []response{{}, found(1), found()}, []int64{0, 0, 1 << 20}, porcupine.Illegal},
		"an append behind the end":  {[]request{{do: "close"}, add(1)}, []response{{}, {}}, nil, porcupine.Illegal},
		"refused before the end":    {[]request{add(1), {do: "close"}}, []response{{refused: true}, {}}, nil, porcupine.Illegal},
		"answers before the end":    {[]request{{do: "answers"}, {do: "close"}}, []response{found(), {}}, nil, porcupine.Illegal},
		"answers of what is absent": {[]request{{do: "close"}, {do: "answers"}}, []response{{}, found(7)}, nil, porcupine.Illegal},
	} {
		var operations []porcupine.Operation
		for i, asked := range test.asked {
			o := porcupine.Operation{ClientId: i, Input: asked, Call: int64(2 * i), Output: test.told[i], Return: int64(2*i + 1)}
			if test.at != nil {
				o.Call, o.Return = test.at[i], test.at[i]+100
			}
			operations = append(operations, o)
		}
		if got := porcupine.CheckOperationsTimeout(new(history).model(), operations, time.Minute); got != test.want {
			t.Errorf("%s: %s, want %s", name, got, test.want)
		}
	}
}
