package protocol

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"analyzer/columnar"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/ledger"
)

// Cut makes a job answer for the first batches that were uploaded to another job, which
// must be followed. The cut has all batches of all its scans when it is opened; nothing
// is uploaded to it.
type Cut struct {
	Of      JobID          `json:"of"`
	Batches map[int]uint64 `json:"batches"` // how many, by the scan's node; equal for all scans of a table
}

// CutRequest asks for a cut of a followed job.
type CutRequest struct {
	Job JobID `json:"job"`
	As  JobID `json:"as"` // name of the new job, drawn at random
	// Tables is how many batches of each table must have come. Until then the answer is
	// NotReady.
	Tables map[string]uint64 `json:"tables,omitempty"`
}

// cutTTL is the time to live of a cut. By then its client has fetched the answers, or is
// gone.
const cutTTL = 10 * time.Minute

// NewCut returns the spec of the largest cut of s for which every replica has every batch.
// reached holds, by replica, how many batches of each scan have come without a gap,
// counted from the first.
func (s *Spec) NewCut(as JobID, reached []map[int]uint64, now time.Time) (*Spec, error) {
	if !s.Follow {
		return nil, fmt.Errorf("job %s is not followed: its uploads are not kept", s.ID)
	}
	tables := make(map[string]uint64)
	scans := columnar.Only(s.Plan.Nodes, func(n *physical.Node) bool { return n.Scan != nil })
	for _, n := range scans {
		least, known := tables[n.Scan.Table]
		if !known {
			least = ledger.MaxMessages
		}
		for _, r := range reached {
			if batches, receives := r[n.ID]; receives {
				least = min(least, batches)
			}
		}
		tables[n.Scan.Table] = least
	}
	cut := &Cut{Of: s.ID, Batches: make(map[int]uint64)}
	for _, n := range scans {
		cut.Batches[n.ID] = tables[n.Scan.Table]
	}
	c := *s
	c.ID, c.Request, c.Label = as, "a cut of "+s.ID.String(), s.Label+", so far"
	c.Opened, c.TTL, c.Follow, c.Open, c.Cut = now, cutTTL, false, false, cut
	return &c, c.Validate()
}

// Lacks returns a table for which a cut has fewer batches than wanted, "" if there is
// none.
func (s *Spec) Lacks(wanted map[string]uint64) string {
	has := s.CutTables()
	for _, table := range slices.Sorted(maps.Keys(wanted)) {
		if has[table] < wanted[table] {
			return table
		}
	}
	return ""
}

// CutTables returns how many batches of each table a cut has.
func (s *Spec) CutTables() map[string]uint64 {
	out := make(map[string]uint64)
	for scan, batches := range s.Cut.Batches {
		out[s.Plan.Nodes[scan].Scan.Table] = batches
	}
	return out
}

// validate reports what is wrong with the cut of a spec. The spec's plan must be valid.
func (c *Cut) validate(s *Spec) error {
	if s.Follow {
		return errors.New("a cut of a job cannot be followed")
	}
	scans := 0
	for _, n := range s.Plan.Nodes {
		if n.Scan == nil {
			continue
		}
		scans++
		if batches, ok := c.Batches[n.ID]; !ok || batches > ledger.MaxMessages {
			return fmt.Errorf("a cut of %d batches of scan %d, known: %v", batches, n.ID, ok)
		}
	}
	if len(c.Batches) != scans {
		return fmt.Errorf("a cut of the scans %v", slices.Sorted(maps.Keys(c.Batches)))
	}
	return nil
}
