package deploy

import (
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

// Host is a computer on which processes run without containers.
type Host struct {
	Name    string
	Address string // at which the others reach it
}

// WriteHosts writes what the computers of a cluster need into a directory: the topology, whose name it returns, and
// the secrets that do not exist yet. Each computer needs a copy of it, in which the states and logs of its own
// processes will be. Cluster counts supervisors by host; its brokers and clients are somebody else's.
func WriteHosts(fs, private vfs.FS, dir string, c Cluster, hosts []Host) (file string, err error) {
	topology, err := encodeTopology(hostTopology(c, hosts))
	if err != nil {
		return "", err
	}
	return writeTopology(fs, private, dir, c, topology)
}

// hostTopology deals workers and gateways out to the hosts in turn; each has c.Supervisors supervisors.
func hostTopology(c Cluster, hosts []Host) supervisor.Topology {
	b := hostBuilder{cluster: c, topology: supervisor.Topology{Cluster: c.Name}, ports: make(map[string]int)}
	for _, h := range hosts {
		for i := range c.Supervisors {
			b.join = append(b.join, net.JoinHostPort(h.Address, strconv.Itoa(gossipPort+i)))
		}
	}
	data := []string{"--queue-type", fmt.Sprint(c.Queues), "--memory", fmt.Sprintf("%dMiB", c.Memory>>20)}
	for rank, h := range hosts {
		for i := range c.Supervisors {
			b.add(membership.Supervisor, h, fmt.Sprintf("%s-%s-%d", membership.Supervisor, h.Name, i),
				"--rank", strconv.Itoa((len(hosts)-rank)*c.Supervisors-i), "--topology", topologyName)
		}
	}
	for i := range c.Workers {
		name := fmt.Sprintf("%s-%d", membership.Worker, i)
		b.add(membership.Worker, hosts[i%len(hosts)], name, slices.Concat([]string{"--replica", strconv.Itoa(i), "--state", filepath.Join("state", name)}, data)...)
	}
	for i := range c.Gateways {
		h := hosts[i%len(hosts)]
		flags := []string{"--replicas", strconv.Itoa(c.Workers), "--listen", b.at(h, c.Port)}
		for _, source := range slices.Concat(c.Directories, c.Buckets) {
			flags = append(flags, "--source", source)
		}
		if c.TLS {
			flags = append(flags, "--tls-cert", filepath.Join(secretsDir, secretCert), "--tls-key", filepath.Join(secretsDir, secretKey))
		}
		b.add(membership.Gateway, h, fmt.Sprintf("%s-%d", membership.Gateway, i), slices.Concat(flags, data)...)
	}
	return b.topology
}

// hostBuilder builds a topology of hosts.
type hostBuilder struct {
	cluster  Cluster
	join     []string // gossip addresses of supervisors
	topology supervisor.Topology
	ports    map[string]int // how many were taken from a first one, by address and that one
}

// at returns the next free address of a host from a port on.
func (b *hostBuilder) at(h Host, first int) string {
	key := net.JoinHostPort(h.Address, strconv.Itoa(first))
	port := first + b.ports[key]
	b.ports[key]++
	return net.JoinHostPort(h.Address, strconv.Itoa(port))
}

// add adds a node of a host, with flags of its own besides those that all have.
func (b *hostBuilder) add(role membership.Role, h Host, name string, flags ...string) {
	page := b.at(h, monitorPort)
	args := slices.Concat([]string{
		string(role), "--name", name, "--cluster", b.cluster.Name, "--http", page,
		"--gossip", b.at(h, gossipPort), "--join", strings.Join(b.join, ","), "--gossip-key", filepath.Join(secretsDir, secretGossip),
		"--token-file", filepath.Join(secretsDir, secretTokens),
	}, flags)
	b.topology.Nodes = append(b.topology.Nodes, supervisor.Node{Name: name, Role: role, Host: h.Name, HTTP: page, Args: args})
}
