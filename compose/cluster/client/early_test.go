package client

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"analyzer/columnar"
	"analyzer/columnar/vfs"
	front "analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/engine"
)

// noted passes answers on, and tells which are complete.
type noted struct {
	engine.Answers
	query string
	ended func(query string)
}

func (n *noted) Begin(query string, columns columnar.Schema) error {
	n.query = query
	return n.Answers.Begin(query, columns)
}

func (n *noted) End() error {
	err := n.Answers.End()
	n.ended(n.query)
	return err
}

// Answers whose tables are there come while other tables are still uploaded, through
// gateways that end; in the order of the queries only where that is wanted.
func TestAnswersComeAsTheyAreReady(t *testing.T) {
	d := dataset(t, "movies")
	want := run(t, d)
	for asReady, early := range map[bool][]string{true: {"q1", "q2", "q5"}, false: {"q1", "q2"}} {
		c := startCluster(t, 2)
		j, err := c.client(annToken, c.all()...).Open(t.Context(), request(d))
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		enough := make(chan struct{})
		u := upload(d)
		first := u.Open
		u.Open = func(table string) (vfs.File, error) {
			if table != "movies" {
				select {
				case <-enough:
				case <-time.After(time.Minute):
					t.Errorf("as ready %v: there is no answer while table %s waits", asReady, table)
				}
				for _, n := range c.gateways {
					n.stop()
					n.start()
				}
			}
			return first(table)
		}
		got := written(t, func(out engine.Answers) error {
			tell := sync.OnceFunc(func() { close(enough) })
			_, err := j.Run(t.Context(), u, Fetch{AsReady: asReady}, &noted{Answers: out, ended: func(query string) {
				if order = append(order, query); len(order) == len(early) {
					tell()
				}
			}})
			return err
		})
		for name, text := range want {
			if got[name] != text {
				t.Errorf("as ready %v: %s is not that of a run", asReady, name)
			}
		}
		if all := slices.Sorted(slices.Values(order)); len(all) != len(d.Queries) || !asReady && !slices.Equal(order, all) {
			t.Errorf("as ready %v: the answers come in the order %v", asReady, order)
		}
		if first := slices.Sorted(slices.Values(order[:len(early)])); !slices.Equal(first, early) {
			t.Errorf("as ready %v: %v come first, not %v", asReady, first, early)
		}
	}
}

// A stage that computes for longer than a client's patience is seen to, and the client
// waits for it; answers that are there are handed out meanwhile.
func TestPatienceDoesNotRunOutWhileAWorkerComputes(t *testing.T) {
	const patience = 2200 * time.Millisecond // a request that came before the stage began is repeated after 2 s
	began, goOn := make(chan struct{}), make(chan struct{})
	var once sync.Once
	c := startClusterOf(t, 1, func(cfg *worker.Config, door *front.Config) {
		door.Timeout = patience / 4 // or patience would have no occasion to run out
		if cfg.Replica == 1 {
			cfg.Crash = func(point string) {
				if point == worker.PointCompute {
					once.Do(func() { close(began); <-goOn })
				}
			}
		}
	})
	release := sync.OnceFunc(func() { close(goOn) })
	defer release()
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		_, err := j.Run(t.Context(), upload(d), Fetch{AsReady: true}, discard{})
		done <- err
	}()
	<-began
	select {
	case err := <-done:
		t.Fatalf("while a worker computes the client ends: %v", err)
	case <-time.After(2 * patience):
	}
	s, err := cl.Status(t.Context(), j.Spec.ID)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(s.Stages, func(s protocol.Stage) bool { return s.Phases[protocol.Computing] > 0 })
	if at < 0 || s.Stages[at].Todo == 0 || s.Stages[at].Took < patience || len(s.Silent) > 0 || s.Idle > 2*patience {
		t.Errorf("it is told as %+v", s)
	}
	release()
	if err := <-done; err != nil {
		t.Errorf("when it has computed: %v", err)
	}
}

// A job whose client has gone says for how long; those who look at it do not count.
func TestAJobWhoseClientHasGone(t *testing.T) {
	c := startCluster(t, 1)
	cl := c.client(annToken, c.all()...)
	d := dataset(t, "books")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	const away = 300 * time.Millisecond
	look := func(what string, uploading bool, least, most time.Duration) {
		t.Helper()
		s, err := cl.Status(t.Context(), j.Spec.ID)
		if err != nil || s.Uploading != uploading || s.Idle < least || s.Idle > most {
			t.Errorf("%s: uploading %v, without a client for %v: %v", what, s.Uploading, s.Idle, err)
		}
	}
	for end := time.Now().Add(away); time.Now().Before(end); time.Sleep(away / 10) {
		look("opened", true, 0, time.Minute)
	}
	look("after a while", true, away, time.Minute)
	if _, err := j.status(t.Context()); err != nil {
		t.Fatal(err)
	}
	look("it is back", true, 0, away)
	if _, err := j.Upload(t.Context(), upload(d)); err != nil {
		t.Fatal(err)
	}
	if err := j.Fetch(t.Context(), Fetch{}, discard{}); err != nil {
		t.Fatal(err)
	}
	look("answered", false, 0, time.Minute)
}

// Patience runs out while a worker that is needed is down.
func TestPatienceRunsOutWithoutAWorker(t *testing.T) {
	c := startCluster(t, 1)
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: 1500 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	d := dataset(t, "books")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	c.workers[1]()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if err := j.Fetch(ctx, Fetch{}, discard{}); !errors.Is(err, ErrCutOff) || ctx.Err() != nil {
		t.Errorf("without worker 1: %v", err)
	}
}

// A broker that is blocked in the midst of an upload is told as such, with its alarm, and
// everything goes on when it has room again, however long that takes.
func TestABlockedBrokerInTheMidstOfAnUpload(t *testing.T) {
	const patience = 500 * time.Millisecond
	c := startCluster(t, 1)
	told := make(chan string, 100)
	cl, err := New(Config{Gateways: c.all(), Token: annToken, Patience: patience, Notice: func(text string) { told <- text }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	d := dataset(t, "movies")
	j, err := cl.Open(t.Context(), request(d))
	if err != nil {
		t.Fatal(err)
	}
	u, first := upload(d), sync.OnceFunc(func() {
		c.broker.Block(true)
		go func() {
			defer c.broker.Block(false)
			select {
			case text := <-told:
				if !strings.Contains(text, "the broker is blocked: memory alarm; nothing is lost") {
					t.Errorf("people are told: %s", text)
				}
			case <-time.After(time.Minute):
				t.Error("nobody is told")
			}
			time.Sleep(2 * patience)
		}()
	})
	open := u.Open
	u.Open = func(table string) (vfs.File, error) {
		if table == "ratings" {
			first()
		}
		return open(table)
	}
	got := written(t, func(out engine.Answers) error {
		_, err := j.Run(t.Context(), u, Fetch{}, out)
		return err
	})
	for name, text := range run(t, d) {
		if got[name] != text {
			t.Errorf("%s is not that of a run", name)
		}
	}
}
