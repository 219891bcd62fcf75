package e2e_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/page"
)

// TestManyAppends sends each of many files twice, in any order. Two clients send them by HTTP
// and a third by append, while workers, gateways and the clients themselves are killed: each
// file counts once.
func TestManyAppends(t *testing.T) {
	lengthy(t)
	t.Parallel()
	rng := rand.New(rand.NewPCG(rand.Uint64(), 0))
	c, webs := twoGateways(t)
	f := openAppends(c, webs...)

	began := time.Now()
	stop := killAnybody(c, rng.Uint64())
	twice := rng.Perm(2 * *files)
	var senders sync.WaitGroup
	for i, share := range [][]int{twice[:*files], twice[*files:]} {
		seed := rng.Uint64()
		senders.Go(func() { f.byHTTP(rand.New(rand.NewPCG(seed, uint64(i))), share) })
	}
	f.byCommand(rng, 4)
	senders.Wait()
	t.Logf("%d files twice in %v; %d kills", *files, time.Since(began).Round(time.Second), stop())

	n := *files + 4
	f.close(n, n*(n-1)/2)
}

// twoGateways starts a cluster of two gateways that can be asked by HTTP.
func twoGateways(t *testing.T) (*e2e.Cluster, []web) {
	c, webs := shared.Start(t, e2e.Options{Gateways: 2}), make([]web, 2)
	for i := range webs {
		address := e2e.FreeAddress(t)
		c.Gateway(i).Give("--http", address)
		c.Gateway(i).Kill()
		webs[i] = web{t: t, base: "http://" + address}
		awaitPage(c, webs[i])
	}
	return c, webs
}

// appends is an open job that is fed with numbers.
type appends struct {
	t       *testing.T
	cluster *e2e.Cluster
	webs    []web
	job     string
	sent    atomic.Int64
}

// openAppends opens the job.
func openAppends(c *e2e.Cluster, webs ...web) *appends {
	var job page.Job
	webs[0].want(http.StatusCreated, &job, "POST", "/v1/jobs", strings.NewReader(
		`{"tables": "CREATE TABLE t (v INTEGER) FROM 't.csv'", "sql": {"q": "SELECT count(*) AS n, sum(v) AS s FROM t"}, "open": true, "ttl": "1h"}`))
	return &appends{t: webs[0].t, cluster: c, webs: webs, job: job.Job.String()}
}

// close ends the job, and fails unless its table has so many numbers with that sum, and the cluster
// nothing else.
func (f *appends) close(n, sum int) {
	w := f.webs[0]
	awaitPage(f.cluster, w)
	w.want(http.StatusOK, nil, "POST", "/v1/jobs/"+f.job+"/close", nil)
	want := fmt.Sprintf("n,s\n%d,%d\n", n, sum)
	if got := answerOf(f.cluster, w, "/v1/jobs/"+f.job, "q", "csv"); string(got) != want {
		f.t.Errorf("%s, want %s", got, want)
	}
	for job := range f.cluster.Jobs() { // cuts whose command was killed as well
		w.want(http.StatusNoContent, nil, "DELETE", "/v1/jobs/"+job, nil)
	}
	f.cluster.Leftovers()
}

func textOf(number int) []byte { return fmt.Appendf(nil, "v\n%d\n", number) }

// byHTTP sends files until each was answered for. Some requests are given up at some moment,
// and sent again.
func (f *appends) byHTTP(rng *rand.Rand, numbers []int) {
	for _, number := range numbers {
		for try := 0; !f.post(rng, textOf(number%*files), try); try++ {
			time.Sleep(time.Duration(rng.IntN(20)) * time.Millisecond)
		}
		if n := f.sent.Add(1); n%5000 == 0 {
			f.t.Logf("%d have been sent", n)
		}
	}
}

// post sends a file to one of the gateways, and reports whether it is in the table.
func (f *appends) post(rng *rand.Rand, text []byte, try int) bool {
	if f.t.Context().Err() != nil {
		return true
	}
	w := f.webs[rng.IntN(len(f.webs))]
	ctx, cancel := context.WithCancel(f.t.Context())
	defer cancel()
	if rng.IntN(50) == 0 {
		defer time.AfterFunc(time.Duration(rng.IntN(10))*time.Millisecond, cancel).Stop()
	}
	status, said := w.askWithin(ctx, "POST", "/v1/jobs/"+f.job+"/tables/t", bytes.NewReader(text))
	starting := status == http.StatusNotFound && !json.Valid(said) // a gateway that has no page yet
	switch {
	case status == http.StatusCreated || status == http.StatusOK:
		return true
	case try < 10_000 && (starting || status == 0 || status == http.StatusConflict || status == http.StatusServiceUnavailable):
		return false
	}
	f.t.Errorf("%q: status %d: %s", text, status, said)
	return true
}

// byCommand appends files by the command, twice each. It is killed now and then.
func (f *appends) byCommand(rng *rand.Rand, n int) {
	dir := f.t.TempDir()
	for i := range 2 * n {
		path := filepath.Join(dir, fmt.Sprint(i%n))
		if i < n {
			if err := os.WriteFile(path, textOf(*files+i), 0o600); err != nil {
				f.t.Error(err)
				return
			}
		}
		f.command(rng, path)
	}
}

func (f *appends) command(rng *rand.Rand, path string) {
	var last e2e.Result
	for range 200 {
		k := f.cluster.Begin(f.t.Context(), "", "append", f.job, "--table", "t="+path, "--gateway", f.cluster.Gateways())
		if rng.IntN(3) == 0 {
			defer time.AfterFunc(time.Duration(rng.IntN(400))*time.Millisecond, func() { k.Kill() }).Stop()
		}
		// Its own answers are not exact while others append, and then it fails.
		if last = k.Wait(); last.Code == 0 || bytes.Contains(last.Stderr, []byte("somebody else appends to the job")) {
			return
		}
		time.Sleep(time.Duration(rng.IntN(50)) * time.Millisecond)
	}
	f.t.Errorf("append: %d\n%s", last.Code, last.Stderr)
}

// killAnybody kills a process every second or so. stop ends that, and returns how many were killed.
func killAnybody(c *e2e.Cluster, seed uint64) (stop func() int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	done, killed := make(chan struct{}), 0
	var all sync.WaitGroup
	all.Go(func() {
		for {
			select {
			case <-done:
				return
			case <-time.After(*gap + time.Duration(rng.Int64N(int64(*gap)))):
				processes := c.Processes()
				processes[rng.IntN(len(processes))].Kill()
				killed++
			}
		}
	})
	return func() int {
		close(done)
		all.Wait()
		return killed
	}
}
