package protocol

import (
	"fmt"

	"analyzer/columnar"
	"analyzer/operators/exec"
	"analyzer/operators/query/physical"
)

// UploadSchema returns the columns of the batches of a scan, given by its node in the
// job's plan: all columns that the scan reads, in the order of the table.
func UploadSchema(spec *Spec, node int) (columnar.Schema, error) {
	n, err := ScanNode(spec, node)
	if err != nil {
		return nil, err
	}
	t := spec.Table(n.Scan.Table)
	if t == nil {
		return nil, fmt.Errorf("job %s has no table %q", spec.ID, n.Scan.Table)
	}
	all := t.Schema()
	at, err := all.Positions(exec.ScanColumns(t, []*physical.Scan{n.Scan}))
	if err != nil {
		return nil, fmt.Errorf("table %s: %w", t.Name, err)
	}
	return all.Project(at), nil
}

// ScanNode returns a node of the job's plan. It is an error if the node is no scan.
func ScanNode(spec *Spec, node int) (*physical.Node, error) {
	if node < 0 || node >= len(spec.Plan.Nodes) || spec.Plan.Nodes[node].Scan == nil {
		return nil, fmt.Errorf("node %d of job %s is no scan", node, spec.ID)
	}
	return spec.Plan.Nodes[node], nil
}
