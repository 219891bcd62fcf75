package e2e_test

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/datasets/catalog"
)

// TestRandomKills kills processes at random times and points while jobs run: none,
// one or several, each perhaps more than once.
func TestRandomKills(t *testing.T) {
	lengthy(t)
	t.Parallel()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("go test ./compose/cluster/e2e -run TestRandomKills -kills %d -seed %d", *kills, *seed)
	rng := rand.New(rand.NewPCG(*seed, 0))
	for jobs := *kills; jobs > 0; jobs -= jobsEach {
		t.Run("", func(t *testing.T) { killsIn(t, rng, min(jobs, jobsEach)) })
	}
}

// jobsEach is how many jobs one cluster runs.
const jobsEach = 10

func killsIn(t *testing.T, rng *rand.Rand, jobs int) {
	o := e2e.Options{Workers: 1 + rng.IntN(3), Gateways: 1 + rng.IntN(3)}
	t.Logf("%d workers, %d gateways", o.Workers, o.Gateways)
	c := shared.Start(t, o)
	for n := range jobs {
		d := catalog.All()[rng.IntN(3)]
		size := []string{"1KiB", "2KiB", "8KiB", "64KiB"}[rng.IntN(4)]
		stop := harass(c, rng)
		began := time.Now()
		// A gateway that dies while it opens a job leaves one that nobody knows.
		r := c.Submit(t.Context(), d.Name, "--block-size", size, "--job-ttl", protocol.MinTTL.String())
		hits := stop()
		if !c.Exact(r, d.Name) {
			t.Fatalf("job %d was not exact", n)
		}
		c.Quiet()
		t.Logf("job %d, %s, blocks of %s: %d kills, %v", n, d.Name, size, hits, time.Since(began).Round(time.Millisecond))
	}
	c.Leftovers()
}

// harass lets some processes die. stop ends that, and returns how many died.
func harass(c *e2e.Cluster, rng *rand.Rand) (stop func() int) {
	done := make(chan struct{})
	var all sync.WaitGroup
	before := 0
	for _, p := range c.Processes() {
		before += p.Starts()
		rng := rand.New(rand.NewPCG(rng.Uint64(), 1))
		if at := anyPoint(p, rng); rng.IntN(2) == 0 {
			before++ // to start it with the point ends it
			p.Crash(at)
		}
		times := rng.IntN(3)
		all.Go(func() {
			for range times {
				select {
				case <-done:
					return
				case <-time.After(time.Duration(rng.Int64N(int64(600 * time.Millisecond)))):
					p.Kill()
				}
			}
		})
	}
	return func() int {
		close(done)
		all.Wait()
		starts := 0
		for _, p := range c.Processes() {
			starts += p.Starts()
			p.Calm()
		}
		return starts - before
	}
}

// anyPoint returns a point that the process may pass, and a pass.
func anyPoint(p *e2e.Process, rng *rand.Rand) string {
	of := worker.Points()
	if p.Kind() == "gateway" {
		of = gateway.Points()
	}
	s := shot{point: of[rng.IntN(len(of))]}
	s.pass = 1 + rng.IntN(2*passes[s.point][1])
	return s.at()
}
