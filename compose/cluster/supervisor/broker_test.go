package supervisor

import (
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"analyzer/compose/cluster/membership"
)

// hello is what a broker begins with (AMQP 0-9-1, connection.start): no properties, PLAIN,
// en_US.
const hello = "\x01\x00\x00\x00\x00\x00\x1c\x00\x0a\x00\x0a\x00\x09\x00\x00\x00\x00\x00\x00\x00\x05PLAIN\x00\x00\x00\x05en_US\xce"

// newBroker adds a broker to a world. It refuses all passwords once it has run for as long as
// it takes to start, and takes connections and says nothing before that, and while it is mute.
func (w *world) newBroker(name string, start time.Duration) *fake {
	w.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	f := &fake{amqp: l.Addr().String()}
	w.nodes[name] = f
	var all sync.WaitGroup
	serve := func(c net.Conn) {
		defer func() { _ = c.Close() }()
		w.mu.Lock()
		speaks := f.runs && !f.mute && time.Since(f.since) >= start
		w.mu.Unlock()
		header := make([]byte, len("AMQP\x00\x00\x09\x01"))
		if _, err := io.ReadFull(c, header); err != nil || !speaks {
			_, _ = io.Copy(io.Discard, c) // until the other side hangs up
			return
		}
		_, _ = io.WriteString(c, hello)
		_, _ = c.Read(make([]byte, 1<<10))
	}
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { serve(c) })
		}
	})
	w.t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
	})
	return f
}

func withBroker(c *Config) { c.Broker = "amqp://u:p@nowhere:1" }

// TestBrokerThatHangs has a broker take connections and say nothing.
func TestBrokerThatHangs(t *testing.T) {
	w := newWorld(t, "a")
	b := w.newBroker("b", 0)
	w.leader = "s"
	s := w.run("s", withBroker)
	w.is(s, "b", membership.Running)
	w.change(func() { b.mute = true })
	w.within("it was started again", func() bool { return len(b.starts) == 2 })
	n := w.is(s, "b", membership.Running)
	if !strings.Contains(n.Why, "did not answer 3 times") || n.Restarts != 1 {
		t.Errorf("%+v", n)
	}
	w.change(func() {
		if !slices.Equal(b.signals, []syscall.Signal{syscall.SIGKILL}) {
			t.Errorf("signals %v", b.signals)
		}
		if n := len(w.nodes["a"].starts); n != 1 {
			t.Errorf("the worker was started %d times", n)
		}
	})
}

// TestBrokersHangTogether has three brokers hang at once: none is restarted while another one
// starts.
func TestBrokersHangTogether(t *testing.T) {
	const start = 100 * time.Millisecond
	w := newWorld(t)
	var all []*fake
	for _, name := range []string{"a", "b", "c"} {
		all = append(all, w.newBroker(name, start))
	}
	w.leader = "s"
	s := w.run("s", withBroker)
	running := func() {
		for name := range w.nodes {
			w.is(s, name, membership.Running)
		}
	}
	running()
	w.change(func() {
		for _, f := range all {
			f.mute = true
		}
	})
	w.within("all were started again", func() bool {
		return !slices.ContainsFunc(all, func(f *fake) bool { return len(f.starts) == 1 })
	})
	running()
	w.change(func() {
		var starts []time.Time
		for _, f := range all {
			starts = append(starts, f.starts[1:]...)
		}
		slices.SortFunc(starts, time.Time.Compare)
		for i := 1; i < len(starts); i++ {
			if gap := starts[i].Sub(starts[i-1]); gap < start {
				t.Errorf("one was started %v after another, which takes %v", gap, start)
			}
		}
	})
}
