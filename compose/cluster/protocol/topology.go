package protocol

import (
	"fmt"
	"slices"

	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/envelope"
	"analyzer/shuffle/ledger"
)

// StageReplicas returns the replicas that run a stage, ascending: all, or, for a stage that
// runs on a single one, the replica that the stage's number selects. A scan stage runs on
// none, since gateways run it.
func (s *Spec) StageReplicas(stage int) []int {
	st := s.Plan.Stages[stage]
	switch {
	case st.Table != "":
		return nil
	case st.Single:
		return []int{stage % s.Replicas}
	}
	return FirstReplicas(s.Replicas)
}

// FirstReplicas returns the replicas 0 to n-1.
func FirstReplicas(n int) []int {
	out := make([]int, n)
	for r := range out {
		out[r] = r
	}
	return out
}

// Stages returns the stages that a replica runs, in the order of the plan.
func (s *Spec) Stages(replica int) []int {
	var out []int
	for _, st := range s.Plan.Stages {
		if slices.Contains(s.StageReplicas(st.ID), replica) {
			out = append(out, st.ID)
		}
	}
	return out
}

// Scans returns the scan nodes of a stage.
func (s *Spec) Scans(stage int) []*physical.Node {
	var out []*physical.Node
	for _, id := range s.Plan.Stages[stage].Nodes {
		if n := s.Plan.Nodes[id]; n.Scan != nil {
			out = append(out, n)
		}
	}
	return out
}

// Ports returns the ports of the stages that a replica runs, in the order of the
// plan, each with all its senders.
func (s *Spec) Ports(replica int) []ledger.Port {
	var out []ledger.Port
	for _, stage := range s.Stages(replica) {
		for _, id := range s.Plan.Stages[stage].Nodes {
			for i, in := range s.Plan.Nodes[id].Inputs {
				if in.Exchange != nil {
					out = append(out, ledger.Port{Node: id, Input: i, Senders: s.Senders(in.Node)})
				}
			}
		}
	}
	return out
}

// Senders returns the senders of a node's rows that leave its stage: for a scan stage
// the splits of the scan that the node is made of, for any other stage its replicas.
func (s *Spec) Senders(node int) (out []envelope.Sender) {
	stage := s.Plan.Nodes[node].Stage
	if table := s.Plan.Stages[stage].Table; table != "" {
		scan := s.ScanOf(node)
		for split := range s.Splits(table) {
			out = append(out, envelope.ScanSender(scan, split))
		}
		return out
	}
	for _, r := range s.StageReplicas(stage) {
		out = append(out, envelope.StageSender(stage, r))
	}
	return out
}

// ScanOf returns the scan that a node of a scan stage is made of.
func (s *Spec) ScanOf(node int) int {
	for s.Plan.Nodes[node].Scan == nil {
		node = s.Plan.Nodes[node].Inputs[0].Node
	}
	return node
}

// Outlet is one way out of a stage: it takes the rows of a node to a port, on all
// replicas of the port's stage.
type Outlet struct {
	Node      int // that has the port
	Input     int
	Keys      []string // columns by which rows are routed; none: all rows to the first receiver
	Receivers []int    // replicas
}

// Outlets returns the outlets through which a node's rows leave its stage.
func (s *Spec) Outlets(node int) []Outlet {
	var out []Outlet
	for _, n := range s.Plan.Nodes {
		for i, in := range n.Inputs {
			if in.Node == node && in.Exchange != nil {
				out = append(out, Outlet{Node: n.ID, Input: i, Keys: in.Exchange.Keys, Receivers: s.StageReplicas(n.Stage)})
			}
		}
	}
	return out
}

// Upstream returns the node whose rows a port receives.
func (s *Spec) Upstream(p ledger.Port) *physical.Node {
	return s.Plan.Nodes[s.Plan.Nodes[p.Node].Inputs[p.Input].Node]
}

// Queue returns the name of a replica's queue, through which the messages of all its
// ports come.
func (s *Spec) Queue(replica int) string { return fmt.Sprintf("analyzer.%s.%d", s.ID, replica) }

// OwnQueue returns the queue of a replica.
func (s *Spec) OwnQueue(replica int) broker.Queue {
	return broker.Queue{Name: s.Queue(replica), Kind: s.Queues, SingleActive: true}
}

// QueueNames returns the names of the queues of all replicas.
func (s *Spec) QueueNames() (names []string) {
	for r := range s.Replicas {
		names = append(names, s.Queue(r))
	}
	return names
}

// AnswersOf returns the queries that the rows of a node answer.
func (s *Spec) AnswersOf(node int) []string {
	var out []string
	for _, a := range s.Plan.Answers {
		if a.Node == node {
			out = append(out, a.Query)
		}
	}
	return out
}

// AnswerNode returns the node that yields a query's answer, and the replica that
// holds it.
func (s *Spec) AnswerNode(query string) (node, replica int, err error) {
	for _, a := range s.Plan.Answers {
		if a.Query == query {
			return a.Node, s.StageReplicas(s.Plan.Nodes[a.Node].Stage)[0], nil
		}
	}
	return 0, 0, fmt.Errorf("job %s has no query %q", s.ID, query)
}
