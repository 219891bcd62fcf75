package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"analyzer/columnar/frame"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
	"analyzer/shuffle/ledger"
)

// durable is the state that a commit makes durable besides segments: the job's spec in
// one frame, since it is large and never changes, and the rest as JSON in another.
type durable struct {
	Spec    []byte                 `json:"-"` // JSON
	Ledger  []byte                 `json:"ledger"`
	Logs    [][]string             `json:"logs"`   // names of segments, by port
	Opened  bool                   `json:"opened"` // the queues exist
	Stages  map[int]protocol.Phase `json:"stages"`
	Frozen  []*frozenNode          `json:"frozen,omitempty"`
	Failed  string                 `json:"failed,omitempty"`
	Cause   protocol.Cause         `json:"cause,omitempty"`  // of the failure
	Ending  string                 `json:"ending,omitempty"` // replica 0: why the job ends
	Rows    int64                  `json:"rows"`
	Tables  []protocol.TableRead   `json:"tables,omitempty"` // replica 0: what they held
	Notes   []protocol.Note        `json:"notes,omitempty"`  // replica 0: for clients that upload tables
	Files   longList               `json:"names,omitzero"`   // replica 0: of the files that notes were written with
	Bytes   int64                  `json:"bytes"`
	Batches []int64                `json:"batches"` // by port
	Taken   []int64                `json:"taken"`   // rows, by port
	// Logged holds, for a followed job, the numbers of each port's logged messages, in the
	// order of its log, as runs: each entry is the first of consecutive numbers, and their count.
	Logged  []longList `json:"logged,omitempty"`
	Suspect suspect    `json:"suspect,omitzero"`
	// Unconfirmed is set until a sign of life of the job's client was committed.
	Unconfirmed bool `json:"unconfirmed,omitempty"`
}

// frozenNode is the frozen rows of a node that leave its stage.
type frozenNode struct {
	Node int    `json:"node"`
	Name string `json:"path"` // of the segment
	// Sent is set when all of its rows were emitted.
	Sent bool `json:"sent,omitempty"`
}

func newDurable(spec *protocol.Spec, ports int) (*durable, error) {
	text, err := spec.Encode()
	if err != nil {
		return nil, err
	}
	d := &durable{
		Spec: text, Logs: make([][]string, ports), Batches: make([]int64, ports), Taken: make([]int64, ports),
		Stages: make(map[int]protocol.Phase),
	}
	if spec.Follow {
		d.Logged = make([]longList, ports)
	}
	return d, nil
}

// ErrNeverOpened means that the opening of a job was interrupted: nobody was told that
// the job is open, so its directory can be deleted.
var ErrNeverOpened = errors.New("the job was never opened here")

// decodeDurable reads the state of a replica's part.
func decodeDurable(payload []byte, replica int) (*durable, *protocol.Spec, error) {
	if len(payload) == 0 {
		return nil, nil, ErrNeverOpened
	}
	d := new(durable)
	text, rest, err := frame.Decode(payload, len(payload))
	if err == nil {
		d.Spec = text
		text, _, err = frame.Decode(rest, len(rest))
	}
	if err == nil {
		err = json.Unmarshal(text, d)
	}
	if err != nil {
		return nil, nil, unreadable(err)
	}
	spec, err := protocol.DecodeSpec(d.Spec)
	if err != nil {
		return nil, nil, unreadable(err)
	}
	if ports := len(spec.Ports(replica)); len(d.Logs) != ports || len(d.Batches) != ports || len(d.Taken) != ports || spec.Follow && len(d.Logged) != ports {
		return nil, nil, unreadable(fmt.Errorf("it has %d ports, the job %d", len(d.Logs), ports))
	}
	return d, spec, nil
}

// encode encodes the state with the current ledger.
func (d *durable) encode(l *ledger.Ledger) ([]byte, error) {
	var err error
	if d.Ledger, err = l.MarshalBinary(); err != nil {
		return nil, fmt.Errorf("encode the ledger: %w", err)
	}
	text, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode the state: %w", err)
	}
	return frame.Append(frame.Append(nil, d.Spec), text), nil
}

// specIn returns the spec in what encode returned.
func specIn(payload []byte) []byte {
	spec, _, _ := frame.Decode(payload, len(payload))
	return spec
}

// portOf returns the index of a port among the replica's ports, -1 if it is not there.
func portOf(ports []ledger.Port, p exec.Port) int {
	return slices.IndexFunc(ports, func(q ledger.Port) bool { return q.Node == p.Node && q.Input == p.Input })
}
