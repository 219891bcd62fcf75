package supervisor

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"

	"analyzer/compose/cluster/membership"
)

// Topology says which nodes a cluster has.
type Topology struct {
	Cluster string `json:"cluster"`
	// An Owned cluster ends when the process that owns it does; see Processes.
	Owned bool   `json:"owned,omitempty"`
	Nodes []Node `json:"nodes"`
}

// Node is a node that should run.
type Node struct {
	Name string          `json:"name"`
	Role membership.Role `json:"role"`
	// Host names the machine on which the node runs, if there are several. The supervisors there start it.
	Host string `json:"host,omitempty"`
	// HTTP is the host:port of the node's monitoring page, which is probed.
	HTTP string `json:"http,omitempty"`
	// AMQP is the host:port at which a broker takes connections, which is probed. A node with
	// neither address counts as well while it runs.
	AMQP string `json:"amqp,omitempty"`
	// Args are the arguments of a process, without the program.
	Args []string `json:"args,omitempty"`
}

// maxName bounds the length of a name.
const maxName = 63

// isName reports whether a name is safe for files and containers.
func isName(name string) bool {
	const plain = "abcdefghijklmnopqrstuvwxyz0123456789"
	return name != "" && len(name) <= maxName && strings.Trim(name[:1], plain) == "" && strings.Trim(name, plain+"-_.") == ""
}

// roles are the roles that nodes can have, in the order in which they are shown.
var roles = []membership.Role{membership.Worker, membership.Gateway, membership.Supervisor, membership.Broker}

// ParseTopology reads and checks a topology. It sorts the nodes by role.
func ParseTopology(text []byte) (t Topology, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return t, fmt.Errorf("read the topology: %w", err)
	}
	slices.SortStableFunc(t.Nodes, func(a, b Node) int { return slices.Index(roles, a.Role) - slices.Index(roles, b.Role) })
	return t, t.Validate()
}

// Validate reports everything that is wrong with a topology.
func (t Topology) Validate() error {
	var errs []error
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf("topology: "+format, a...)) }
	if !isName(t.Cluster) {
		wrong("%q is no name of a cluster: up to 63 of a-z, 0-9, -, _ and . are possible", t.Cluster)
	}
	names := make(map[string]bool)
	for _, n := range t.Nodes {
		switch {
		case !isName(n.Name):
			wrong("%q is no name of a node: up to 63 of a-z, 0-9, -, _ and . are possible", n.Name)
		case names[n.Name]:
			wrong("there are two nodes called %s", n.Name)
		}
		names[n.Name] = true
		if !slices.Contains(roles, n.Role) {
			wrong("%s has the role %q; there are worker, gateway, supervisor, broker", n.Name, n.Role)
		}
		if _, _, err := net.SplitHostPort(n.HTTP); n.HTTP != "" && err != nil {
			wrong("the page of %s is at %q: expected host:port", n.Name, n.HTTP)
		}
		if _, _, err := net.SplitHostPort(n.AMQP); n.AMQP != "" && err != nil {
			wrong("%s takes connections at %q: expected host:port", n.Name, n.AMQP)
		}
	}
	if len(t.Nodes) == 0 {
		wrong("there are no nodes")
	}
	return errors.Join(errors.Join(errs...), t.validateHosts())
}

// validateHosts reports what is wrong with the hosts of nodes.
func (t Topology) validateHosts() error {
	hosts := t.Hosts()
	if len(hosts) == 1 && hosts[0] == "" {
		return nil
	}
	var errs []error
	wrong := func(format string, a ...any) { errs = append(errs, fmt.Errorf("topology: "+format, a...)) }
	if t.Owned {
		wrong("a cluster with an owner runs on one machine, and has no hosts")
	}
	for _, n := range t.Nodes {
		if !isName(n.Host) {
			wrong("%s has the host %q, which is no name: up to 63 of a-z, 0-9, -, _ and . are possible", n.Name, n.Host)
		}
	}
	for _, host := range hosts {
		if !slices.ContainsFunc(t.Nodes, func(n Node) bool { return n.Host == host && n.Role == membership.Supervisor }) {
			wrong("host %q has no supervisor, so nobody would start its nodes", host)
		}
	}
	return errors.Join(errs...)
}

// Hosts returns the hosts of the nodes, in the order in which the topology names them; "" alone if there is one machine.
func (t Topology) Hosts() (hosts []string) {
	for _, n := range t.Nodes {
		if !slices.Contains(hosts, n.Host) {
			hosts = append(hosts, n.Host)
		}
	}
	return hosts
}

// HostOf returns the host of a supervisor. Who is no node of the topology is on none of several hosts.
func (t Topology) HostOf(supervisor string) (string, error) {
	var names []string
	for _, n := range t.Nodes {
		switch {
		case n.Name == supervisor:
			return n.Host, nil
		case n.Role == membership.Supervisor:
			names = append(names, n.Name)
		}
	}
	if hosts := t.Hosts(); slices.Equal(hosts, []string{""}) {
		return "", nil
	}
	return "", fmt.Errorf("the topology has several hosts, and %q is on none of them: its supervisors are %s", supervisor, strings.Join(names, ", "))
}

// nodesOf returns the supervisors of a host, and its other nodes.
func (t Topology) nodesOf(host string) (supervisors, others []Node) {
	for _, n := range t.Nodes {
		switch {
		case n.Host != host:
		case n.Role == membership.Supervisor:
			supervisors = append(supervisors, n)
		default:
			others = append(others, n)
		}
	}
	return supervisors, others
}
