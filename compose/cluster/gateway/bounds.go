package gateway

import (
	"fmt"

	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/plan"
)

const (
	maxLabel     = 100 // bytes
	maxReceivers = 4096
)

// checkRequest checks a client's request against bounds beyond those of protocol.Spec.
func checkRequest(r *protocol.OpenRequest) error {
	if r.TTL < protocol.MinTTL {
		return fmt.Errorf("a time to live of %v; at least %v is possible", r.TTL, protocol.MinTTL)
	}
	if !plan.Printable(r.Label, maxLabel) {
		return fmt.Errorf("a label that is not printable, or longer than %d bytes", maxLabel)
	}
	return plan.Check(r.Tables, r.Queries)
}

// checkSpec bounds the load that a job puts on the cluster.
func checkSpec(spec *protocol.Spec) error {
	receivers := 0
	for _, n := range spec.Plan.Nodes {
		for _, way := range spec.Outlets(n.ID) {
			receivers += len(way.Receivers)
		}
	}
	if receivers > maxReceivers {
		return fmt.Errorf("the plan sends to %d receivers; %d are possible", receivers, maxReceivers)
	}
	return nil
}
