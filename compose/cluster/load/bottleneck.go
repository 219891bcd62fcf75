package load

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"analyzer/compose/cluster/membership"
)

// Bottleneck is what limits a cluster: what would have to be faster, or more numerous, for
// its jobs to end sooner.
type Bottleneck struct {
	// Where is a role of nodes, or machine, disk, broker or client; "": nothing stands out.
	Where string `json:"where,omitempty"`
	Why   string `json:"why"` // one sentence, for people
}

// Bottlenecks that are not roles of nodes.
const (
	atMachine = "machine"
	atDisk    = "disk"
	atBroker  = "broker"
	atClient  = "client"
)

const (
	// busy is the share of processors in use from which on they are too few.
	busy = 0.9
	// slowDisk is the share of time in commits from which on a disk is slow.
	slowDisk = 0.5
	// works is how many processors a worker with real work uses at least; one with little to
	// do uses a few hundredths.
	works = 0.5
	// inHand is how many batches per upload a gateway holds that waits for others rather than
	// for its clients.
	inHand = 0.5
)

// find names the bottleneck. The first rule that holds decides:
//
//  1. broker: it takes no messages, being short of memory or disk.
//  2. Nothing, if no worker holds a job and no upload is open.
//  3. worker or gateway: one of them keeps 90 % of the processors that it may use busy;
//     of several the busiest.
//  4. The processors of a machine are 90 % busy: the role whose nodes take most of
//     them, or the machine, if all that is no node takes more: clients, brokers, others.
//  5. disk: a worker spends half of its time on making durable what it receives.
//  6. worker: messages wait for one that is at work, be it by one processor alone.
//  7. broker: messages wait for workers that have nothing to do, or batches wait at
//     gateways for the broker to confirm them.
//  8. client: uploads are open, and gateways wait for their batches.
//  9. Nothing stands out.
func find(nodes []membership.Node, loads map[string]Load) Bottleneck {
	for _, rule := range []func(*cluster) (Bottleneck, bool){
		blocked, idle, busyNode, busyMachine, busyDisk, busyWorker, slowBroker, slowClient,
	} {
		if b, ok := rule(newCluster(nodes, loads)); ok {
			return b
		}
	}
	return Bottleneck{Why: "jobs are under way, and nothing stands out"}
}

// node is a node with its load.
type node struct {
	name string
	role membership.Role
	Load
}

// cluster is what the rules look at.
type cluster struct {
	nodes             []node // by name
	workers, gateways []node
	jobs, uploads     int
	waiting           int64
	batches           float64
}

func newCluster(nodes []membership.Node, loads map[string]Load) *cluster {
	c := &cluster{}
	for _, n := range nodes {
		l, ok := loads[n.Name]
		if !ok {
			continue
		}
		about := node{n.Name, n.Role, l}
		c.nodes = append(c.nodes, about)
		switch n.Role {
		case membership.Worker:
			c.workers = append(c.workers, about)
		case membership.Gateway:
			c.gateways = append(c.gateways, about)
		}
		c.jobs, c.waiting = max(c.jobs, l.Jobs), c.waiting+l.Waiting
		c.uploads, c.batches = c.uploads+l.Uploads, c.batches+l.Batches
	}
	return c
}

// most returns the node with the largest value; false: there is none.
func most(nodes []node, number func(node) float64) (node, bool) {
	if len(nodes) == 0 {
		return node{}, false
	}
	return slices.MaxFunc(nodes, func(a, b node) int { return cmp.Compare(number(a), number(b)) }), true
}

func blocked(c *cluster) (Bottleneck, bool) {
	if !slices.ContainsFunc(c.nodes, func(n node) bool { return n.Blocked }) {
		return Bottleneck{}, false
	}
	return Bottleneck{atBroker, "it takes no messages: it is short of memory or disk"}, true
}

func idle(c *cluster) (Bottleneck, bool) {
	return Bottleneck{Why: "no job is under way"}, c.jobs == 0 && c.uploads == 0
}

func busyNode(c *cluster) (Bottleneck, bool) {
	share := func(n node) float64 { return n.CPU / max(n.CPUs, 1) }
	n, ok := most(slices.Concat(c.workers, c.gateways), share)
	if !ok || share(n) < busy {
		return Bottleneck{}, false
	}
	return Bottleneck{string(n.role), fmt.Sprintf("%s keeps %.1f of its %.0f processors busy", n.name, n.CPU, n.CPUs)}, true
}

func busyMachine(c *cluster) (Bottleneck, bool) {
	share := func(n node) float64 { return n.Machine.CPU / max(n.Machine.CPUs, 1) }
	worst, ok := most(c.nodes, share)
	if !ok || share(worst) < busy {
		return Bottleneck{}, false
	}
	machine, whose := worst.Machine, "the machine"
	if slices.ContainsFunc(c.nodes, func(n node) bool { return n.Machine.Boot != machine.Boot }) {
		whose = worst.name + "'s machine"
	}
	taken := map[string]float64{atMachine: machine.CPU}
	for _, n := range c.nodes {
		if n.Machine.Boot == machine.Boot {
			taken[string(n.role)] += n.CPU
			taken[atMachine] -= n.CPU
		}
	}
	where := slices.MaxFunc(slices.Sorted(maps.Keys(taken)), func(a, b string) int { return cmp.Compare(taken[a], taken[b]) })
	who := where + "s"
	if where == atMachine {
		who = "other programs"
	}
	return Bottleneck{where, fmt.Sprintf("%.1f of %.0f processors of %s are busy, %.1f by %s",
		min(machine.CPU, machine.CPUs), machine.CPUs, whose, taken[where], who)}, true
}

func busyDisk(c *cluster) (Bottleneck, bool) {
	n, ok := most(c.workers, func(n node) float64 { return n.Committing })
	if !ok || n.Committing < slowDisk {
		return Bottleneck{}, false
	}
	return Bottleneck{atDisk, fmt.Sprintf("%s spends %.0f %% of its time on making durable what it got", n.name, 100*n.Committing)}, true
}

func busyWorker(c *cluster) (Bottleneck, bool) {
	n, ok := most(c.workers, func(n node) float64 { return n.CPU })
	if !ok || n.CPU < works || n.Waiting == 0 {
		return Bottleneck{}, false
	}
	return Bottleneck{string(membership.Worker), fmt.Sprintf("%d messages wait for %s, which keeps %.1f of its %.0f processors busy", n.Waiting, n.name, n.CPU, n.CPUs)}, true
}

func slowBroker(c *cluster) (Bottleneck, bool) {
	if n, ok := most(c.workers, func(n node) float64 { return n.CPU }); ok && n.CPU >= works {
		return Bottleneck{}, false
	}
	switch {
	case c.waiting > 0:
		return Bottleneck{atBroker, fmt.Sprintf("%d messages wait, and workers have little to do", c.waiting)}, true
	case c.uploads > 0 && c.batches >= inHand*float64(c.uploads):
		return Bottleneck{atBroker, fmt.Sprintf("%.1f batches of %d uploads wait at gateways to be confirmed", c.batches, c.uploads)}, true
	}
	return Bottleneck{}, false
}

func slowClient(c *cluster) (Bottleneck, bool) {
	if c.uploads == 0 || c.batches >= inHand*float64(c.uploads) {
		return Bottleneck{}, false
	}
	return Bottleneck{atClient, fmt.Sprintf("gateways wait for input: %d uploads, and %.1f batches in hand", c.uploads, c.batches)}, true
}
