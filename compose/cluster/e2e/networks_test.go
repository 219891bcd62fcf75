package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"analyzer/shuffle/rabbit/node"
)

// networks connect computers a, b and c with each other and with this test.
type networks interface {
	// Address is that of a computer.
	Address(host string) string
	// Within returns what is put before a command that runs on a computer.
	Within(host string) []string
	// Cut takes a computer off the network, or back.
	Cut(host string, off bool)
	// Broker returns the URL by which computers reach a broker.
	Broker(url string) string
}

// numberOfHost is the last part of a computer's address.
func numberOfHost(host string) int { return 1 + slices.Index(hosts, host) }

// loopback is this machine with an address for each computer. Nothing can be cut off.
type loopback string

func newLoopback() loopback {
	return loopback(fmt.Sprintf("127.%d.%d", 1+rand.IntN(250), 1+rand.IntN(250)))
}

func (l loopback) Address(host string) string { return fmt.Sprintf("%s.%d", l, numberOfHost(host)) }
func (loopback) Within(string) []string       { return nil }
func (loopback) Cut(string, bool)             {}
func (loopback) Broker(url string) string     { return url }

// namespaces are networks of the kernel, one for each computer, which a bridge connects. They take root.
type namespaces struct {
	t    *testing.T
	name string // of the bridge; those of other things begin with it
	net  string
}

func newNamespaces(t *testing.T) *namespaces {
	t.Helper()
	n := &namespaces{t, fmt.Sprintf("an%d", rand.IntN(1e6)), fmt.Sprintf("10.%d.%d", 64+rand.IntN(64), rand.IntN(250))}
	n.ip("link add %s type bridge", n.name)
	t.Cleanup(func() { n.ip("link del %s", n.name) })
	n.ip("addr add %s.254/24 dev %s", n.net, n.name)
	n.ip("link set %s up", n.name)
	for _, host := range hosts {
		space := n.name + host
		n.ip("netns add %s", space)
		t.Cleanup(func() { n.ip("netns del %s", space) })
		n.ip("link add %s type veth peer name eth0 netns %s", space, space)
		n.ip("link set %s master %s up", space, n.name)
		n.ip("-n %s addr add %s/24 dev eth0", space, n.Address(host))
		n.ip("-n %s link set eth0 up", space)
		n.ip("-n %s link set lo up", space)
	}
	return n
}

// ip runs a command of iproute2.
func (n *namespaces) ip(format string, a ...any) {
	n.t.Helper()
	args := strings.Fields(fmt.Sprintf(format, a...))
	if said, err := exec.CommandContext(context.Background(), "ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("ip %s: %v\n%s", strings.Join(args, " "), err, said)
	}
}

func (n *namespaces) Address(host string) string {
	return fmt.Sprintf("%s.%d", n.net, numberOfHost(host))
}

func (n *namespaces) Within(host string) []string {
	return []string{"ip", "netns", "exec", n.name + host}
}

func (n *namespaces) Cut(host string, off bool) {
	n.t.Helper()
	state := "up"
	if off {
		state = "down"
	}
	n.ip("link set %s %s", n.name+host, state)
}

// Broker passes connections on to the broker, which listens on this machine alone.
func (n *namespaces) Broker(url string) string {
	n.t.Helper()
	return balance(n.t, n.net+".254:0", []*node.Node{shared.Node(n.t)})(url)
}
