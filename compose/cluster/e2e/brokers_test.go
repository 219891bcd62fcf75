package e2e_test

import (
	"context"
	"io"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// TestOneOfThreeBrokersKilled ends one node of a broker of three by kill -9 in the
// midst of a job, twenty times, each in its turn. Queues are quorum queues, which
// refuse messages while they have no leader.
func TestOneOfThreeBrokersKilled(t *testing.T) {
	if !*long {
		t.Skip("it takes minutes: make long")
	}
	var nodes []*node.Node
	for i := range 3 {
		var cfg node.Config
		if i > 0 {
			cfg.Join = nodes[0]
		}
		n, err := node.Start(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = n.Stop() })
		nodes = append(nodes, n)
	}
	if out, err := nodetest.Control(t.Context(), nodes[2], "cluster_status"); err != nil || strings.Count(out, "RabbitMQ 3") != 3 && strings.Count(out, "RabbitMQ 4") != 3 {
		t.Fatalf("three nodes are no cluster: %v\n%s", err, out)
	}
	flags := []string{"--queue-type", broker.Quorum.String()}
	c := shared.Start(t, e2e.Options{
		Node: nodes[0], Broker: balance(t, "127.0.0.1:0", nodes), WorkerFlags: flags, GatewayFlags: append(flags, e2e.Serve...),
	})
	dir := c.Generated("movies", "0.02")
	for i := range 20 {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		k := c.Begin(ctx, "", c.Submission("movies", dir, "--block-size", "16KiB")...)
		if !acked(c, k, c.Gateway(0).Metric(ackedMetric)+100) {
			t.Fatalf("the upload was over before a node could be killed:\n%s", k.Wait().Stderr)
		}
		n := nodes[i%3]
		nodetest.Kill(t, n)
		time.Sleep(time.Second)
		if err := n.Restart(context.Background()); err != nil {
			t.Fatal(err)
		}
		r := k.Wait()
		if !c.Exact(r, "movies", dir) {
			t.Fatalf("job %d, with node %d killed, was not exact", i, i%3)
		}
		c.Quiet()
		t.Logf("job %d, with node %d killed, took %v", i, i%3, r.Took.Round(10*time.Millisecond))
	}
	c.Leftovers()
}

// balance listens on an address in front of nodes of a broker, as a load balancer does: each
// connection goes to the first one that takes it. It returns what makes a URL of the
// broker of one of a node.
func balance(t *testing.T, address string, nodes []*node.Node) func(string) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	parse := func(text string) *url.URL {
		u, err := url.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	var hosts []string
	for _, n := range nodes {
		hosts = append(hosts, parse(n.URL()).Host)
	}
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go pass(from, hosts)
		}
	}()
	return func(text string) string {
		u := parse(text)
		u.Host = l.Addr().String()
		return u.String()
	}
}

// pass joins a connection to the first of some hosts that takes it.
func pass(from net.Conn, hosts []string) {
	defer func() { _ = from.Close() }()
	for _, host := range hosts {
		to, err := net.Dial("tcp", host)
		if err != nil {
			continue
		}
		go func() {
			_, _ = io.Copy(to, from)
			_ = to.Close()
		}()
		_, _ = io.Copy(from, to)
		return
	}
}
