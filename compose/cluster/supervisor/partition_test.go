package supervisor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/memberlist"

	"analyzer/compose/cluster/membership"
	"analyzer/process"
)

// pageVariable makes a process of these tests a node that serves a page there.
const pageVariable = "SUPERVISOR_TEST_PAGE"

// lockName and doubleName are files beside a node: of the process that runs, and of who
// has found another one running.
const lockName, doubleName = "alive", "double"

// serveAsNode is a node: it says so if it is not the only process that is, and answers.
func serveAsNode(page string) {
	lock, err := os.OpenFile(lockName, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	}
	if err != nil {
		_ = os.WriteFile(doubleName, []byte(err.Error()), 0o600)
	}
	err = http.ListenAndServe(page, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	fmt.Fprintln(os.Stderr, "analyzer:", err)
	os.Exit(1)
}

// wire is a network that can be cut: nothing gets through then, neither what a member
// sends nor a new connection.
type wire struct {
	*memberlist.NetTransport
	cut *atomic.Bool
}

var errCut = errors.New("the network is cut")

func (w wire) WriteTo(b []byte, addr string) (time.Time, error) {
	return w.WriteToAddress(b, memberlist.Address{Addr: addr})
}

func (w wire) WriteToAddress(b []byte, a memberlist.Address) (time.Time, error) {
	if w.cut.Load() {
		return time.Now(), nil // as a packet that is lost
	}
	return w.NetTransport.WriteToAddress(b, a)
}

func (w wire) DialTimeout(addr string, timeout time.Duration) (net.Conn, error) {
	return w.DialAddressTimeout(memberlist.Address{Addr: addr}, timeout)
}

func (w wire) DialAddressTimeout(a memberlist.Address, timeout time.Duration) (net.Conn, error) {
	if w.cut.Load() {
		return nil, errCut
	}
	return w.NetTransport.DialAddressTimeout(a, timeout)
}

// half is a supervisor that gossips over a wire.
type half struct {
	*Supervisor
	group *membership.Group
}

func newHalf(t *testing.T, rank, port int, cut *atomic.Bool, p *Processes, topology Topology, join []string) half {
	t.Helper()
	net, err := memberlist.NewNetTransport(&memberlist.NetTransportConfig{BindAddrs: []string{process.Loopback}, BindPort: port, Logger: log.New(io.Discard, "", 0)})
	if err != nil {
		t.Fatal(err)
	}
	self := membership.Member{Name: fmt.Sprintf("supervisor-%d", rank), Role: membership.Supervisor, Rank: rank, Since: time.Now().Add(-time.Hour)}
	group, err := membership.Start(membership.Config{
		Self: self, Cluster: "test", Listen: process.Address(port), Join: join, Every: 60 * time.Millisecond,
		Transport: wire{net, cut}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	s := New(Config{
		Topology: topology, Driver: p, Group: group, Grace: time.Second, Log: slog.New(slog.DiscardHandler),
		Probe: Probe{Interval: 10 * time.Millisecond, Timeout: 100 * time.Millisecond, Attempts: 3},
	})
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() {
		if err := s.Run(ctx); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(func() {
		cancel()
		run.Wait()
		if err := group.Close(); err != nil {
			t.Error(err)
		}
	})
	return half{s, group}
}

// TestPartition cuts the network between two supervisors, which share what drives the
// nodes: both lead, and both start a node again that is killed or hangs, at the same
// time. There is never more than one process of it, and it runs; once the network is
// mended, one of them leads, and the node is left alone.
func TestPartition(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var claims process.PortClaims
	defer claims.Close()
	ports, err := claims.Claim(3)
	if err != nil {
		t.Fatal(err)
	}
	node := Node{Name: "a", Role: membership.Worker, HTTP: process.Address(ports[2])}
	topology := Topology{Cluster: "test", Nodes: []Node{node}}
	var cut atomic.Bool
	var halves []half
	for rank := range 2 {
		p := &Processes{Program: os.Args[0], Env: append(os.Environ(), pageVariable+"="+node.HTTP), Dir: dir}
		if err := p.MakeDirs(); err != nil {
			t.Fatal(err)
		}
		var join []string
		for _, h := range halves {
			join = append(join, h.group.Addr())
		}
		halves = append(halves, newHalf(t, rank, ports[rank], &cut, p, topology, join))
	}
	slot := process.Slot{Path: filepath.Join(dir, RunDir, node.Name)}
	t.Cleanup(func() { _ = slot.Signal(syscall.SIGKILL) })
	leaders := func() (n int) {
		for _, h := range halves {
			if _, leads := h.Report(); leads {
				n++
			}
		}
		return n
	}
	// answers reports whether a process runs, other than the one of that number.
	answers := func(but int) bool {
		o, err := slot.Runs()
		return err == nil && o.PID != 0 && o.PID != but && newWatch(halves[0].Supervisor, node).probe(t.Context())
	}
	await(t, "one leads", func() bool {
		return leaders() == 1 && len(halves[0].group.Members()) == 2 && len(halves[1].group.Members()) == 2
	})
	await(t, "the node runs", func() bool { return answers(0) })
	cut.Store(true)
	await(t, "both lead", func() bool { return leaders() == 2 })
	for round := range 4 {
		how := []syscall.Signal{syscall.SIGKILL, syscall.SIGSTOP}[round%2]
		was, err := slot.Runs()
		if err != nil {
			t.Fatal(err)
		}
		if err := slot.Signal(how); err != nil {
			t.Fatal(err)
		}
		await(t, fmt.Sprintf("it was started again after %v", how), func() bool { return answers(was.PID) })
		// Each half may have killed what the other had just started, but not for ever.
		await(t, "it stays", func() bool {
			now, _ := slot.Runs()
			time.Sleep(300 * time.Millisecond)
			then, err := slot.Runs()
			return err == nil && then.PID == now.PID && answers(0)
		})
	}
	last, _ := slot.Runs()
	if leaders() != 2 {
		t.Error("the network is cut no longer")
	}
	cut.Store(false)
	await(t, "one leads again", func() bool { _, leads := halves[1].Report(); return leads && leaders() == 1 })
	time.Sleep(200 * time.Millisecond)
	if o, err := slot.Runs(); err != nil || o.PID != last.PID {
		t.Errorf("once the network is mended process %d runs, %v; it was %d", o.PID, err, last.PID)
	}
	if text, err := os.ReadFile(filepath.Join(dir, doubleName)); err == nil {
		t.Errorf("there were two processes of the node: %s", text)
	}
	t.Logf("%d starts, %d of them asked for", last.Starts, 1+4)
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within 20 s: %s", what)
		}
	}
}
