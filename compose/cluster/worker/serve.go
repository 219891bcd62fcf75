package worker

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"analyzer/columnar"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/exec"
)

// Serve answers a request about the job.
func (p *Part) Serve(r *protocol.Request) *protocol.Response {
	p.see(r)
	out := new(protocol.Response)
	var err error
	switch r.Action {
	case protocol.ActionOpen, protocol.ActionDescribe: // the job is open already
		out.Data, out.Memory = p.d.Spec, p.worker.Runtime.Budget.Limit()
	case protocol.ActionStatus:
		out.Status = new(p.Status())
		if r.Nodes {
			p.addNodes(out.Status)
		}
	case protocol.ActionRead: // the next commit makes it durable, which is soon enough
		if r.Read != nil && !slices.ContainsFunc(p.d.Tables, func(t protocol.TableRead) bool { return t.Table == r.Read.Table && t.Split == r.Read.Split }) {
			p.d.Tables = append(p.d.Tables, *r.Read)
		}
	case protocol.ActionNote:
		err = p.serveNote(r, out)
	case protocol.ActionReach:
		out.Reach = p.reach()
	case protocol.ActionKeys:
		err = p.serveKeys(r, out)
	case protocol.ActionPage:
		err = p.servePage(p.d.Frozen, r, out)
	case protocol.ActionEnd:
		err = p.end(r.Reason)
		p.goOn()
	}
	if errors.Is(err, segment.ErrCorrupt) { // a retry cannot help
		p.broken(fmt.Errorf("%w; submit the job again", err))
	}
	if err != nil {
		out.Code, out.Error = protocol.Trouble, p.worker.tellable(err)
	}
	if p.d.Failed != "" && r.Action != protocol.ActionStatus && r.Action != protocol.ActionDescribe && r.Action != protocol.ActionEnd {
		out.Code, out.Error, out.Cause, out.Owner = protocol.JobFailed, p.d.Failed, p.d.Cause, p.spec.Owner
	}
	return out
}

// serveNote answers with the note of a table, after writing it if the request says so.
func (p *Part) serveNote(r *protocol.Request, out *protocol.Response) error {
	if r.Note == nil || !r.Note.Keepable(p.spec) {
		out.Code, out.Error = protocol.Refused, "it is no note of a table"
		return nil
	}
	at := slices.IndexFunc(p.d.Notes, func(n protocol.Note) bool { return n.Table == r.Note.Table })
	now := protocol.Note{Table: r.Note.Table}
	if at >= 0 {
		now = p.d.Notes[at]
	}
	if r.Note.Text != nil && r.Note.Version == now.Version+1 && !p.stopped() {
		now.Version, now.Text = r.Note.Version, r.Note.Text
		if err := p.writeNote(now, r.Note.File); err != nil {
			return err
		}
	}
	known, err := p.knows(r.Note.File)
	now.File, now.Known = r.Note.File, known
	out.Note = &now
	return err
}

// writeNote replaces the note of a table, and remembers the file that it is written with.
func (p *Part) writeNote(n protocol.Note, file []byte) error {
	if err := p.remember(file); err != nil {
		return err
	}
	p.d.Notes = append(columnar.Only(p.d.Notes, func(o protocol.Note) bool { return o.Table != n.Table }), n)
	if !p.settle() {
		return errors.New("the note could not be written down")
	}
	return nil
}

// Status returns this replica's view of the job.
func (p *Part) Status() protocol.Status {
	s := p.brief()
	s.Tables, s.Waiting = protocol.OfTables(p.d.Tables), p.waiting()
	return s
}

// addNodes adds to a status of the part what its operators did.
func (p *Part) addNodes(s *protocol.Status) {
	for i := range s.Stages {
		if stage := &s.Stages[i]; p.nodes[stage.Stage] != nil {
			stage.Nodes, stage.Told = append(p.uploaded(stage.Stage), p.nodes[stage.Stage]...), 1
		}
	}
}

// uploaded returns how many rows have come to a stage from nodes that gateways run. A node with
// several outlets counts at the first of them.
func (p *Part) uploaded(stage int) (nodes []exec.NodeReport) {
	for i, port := range p.ports {
		if p.stageOf(i) != stage || !isUpload(port) {
			continue
		}
		from := p.spec.Upstream(port).ID
		if first := p.spec.Outlets(from)[0]; first.Node == port.Node && first.Input == port.Input {
			nodes = append(nodes, exec.NodeReport{Node: from, RowsOut: p.d.Taken[i]})
		}
	}
	return nodes
}

// brief returns what a list tells of the job.
func (p *Part) brief() protocol.Status {
	s := protocol.Status{
		Job: p.spec.ID, Owner: p.spec.Owner, Label: p.spec.Label, Replicas: p.spec.Replicas,
		Opened: p.spec.Opened, Expires: p.sign.Add(p.lifetime()), State: p.state(),
		Rows: p.d.Rows, Bytes: p.d.Bytes, Idle: p.clientIdle(),
	}
	if s.Reason, s.Cause = p.d.Failed, p.d.Cause; p.d.Ending != "" {
		s.Reason, s.Cause = p.d.Ending, ""
	}
	for _, stage := range p.spec.Stages(p.worker.Replica) {
		st := protocol.Stage{
			Stage: stage, Replicas: 1, Phases: map[protocol.Phase]int{p.d.Stages[stage]: 1},
			Spilled: p.spilled[stage], Waited: p.waited[stage],
		}
		for i := range p.ports {
			if p.stageOf(i) == stage {
				st.Batches += p.d.Batches[i]
				st.Rows += p.d.Taken[i]
			}
		}
		s.Stages = append(s.Stages, st)
	}
	for _, f := range p.d.Frozen {
		s.Answers = append(s.Answers, p.spec.AnswersOf(f.Node)...)
	}
	for i, port := range p.ports {
		s.Uploading = s.Uploading || p.needs(i) && isUpload(port)
	}
	s.Open = p.spec.Open && s.Uploading
	return s
}

func (p *Part) state() protocol.State {
	switch {
	case p.d.Ending != "" || p.cleaning != nil:
		return protocol.Ending
	case p.d.Failed != "":
		return protocol.Failing
	case p.opening():
		return protocol.Opening
	}
	for _, ph := range p.d.Stages {
		if ph != protocol.Emitted {
			return protocol.Running
		}
	}
	return protocol.Done
}

// waiting says, for people, which messages are missing. It is empty if none is.
func (p *Part) waiting() []string {
	var out []string
	for i, port := range p.ports {
		if !p.needs(i) {
			continue
		}
		for _, m := range p.seen.Missing(i, 3) {
			out = append(out, fmt.Sprintf("port %d.%d: %s", port.Node, port.Input, m))
		}
	}
	return out
}

// serveKeys answers with the key hashes of a join's build side once the whole build side
// has come.
func (p *Part) serveKeys(r *protocol.Request, out *protocol.Response) error {
	port := portOf(p.ports, exec.Port{Node: r.Node})
	if port < 0 {
		out.Code, out.Error = protocol.Refused, fmt.Sprintf("node %d is no join of this replica", r.Node)
		return nil
	}
	data, known := p.keys[r.Node]
	if !known {
		if p.phaseOf(port) != protocol.Receiving {
			out.Ready, out.TooMany = true, true // its log is gone, and nobody needs to wait for keys
			return nil
		}
		if !p.seen.Complete(port) {
			return nil
		}
		var err error
		if data, err = p.keysOf(port); err != nil {
			return err
		}
		p.keys[r.Node] = data
	}
	out.Ready, out.TooMany, out.Data = true, data == nil, data
	return nil
}

// keysOf returns the distinct key hashes that have come to a port, nil if there are too many.
func (p *Part) keysOf(port int) ([]byte, error) {
	node := p.spec.Plan.Nodes[p.ports[port].Node]
	schema := p.spec.Upstream(p.ports[port]).Schema
	keys, err := schema.Positions(node.Inputs[0].Exchange.Keys)
	if err != nil {
		return nil, err
	}
	distinct := make(map[uint64]struct{})
	var hashes []uint64
	err = p.eachReceived(port, func(rows columnar.Rows) error {
		if len(distinct) > protocol.MaxKeys {
			return nil
		}
		hashes = columnar.HashRows(hashes, rows.Project(keys).Cols, rows.Len)
		for _, h := range hashes {
			distinct[h] = struct{}{}
		}
		return nil
	})
	if err != nil || len(distinct) > protocol.MaxKeys {
		return nil, err
	}
	return protocol.EncodeKeys(slices.Collect(maps.Keys(distinct))), nil
}

// servePage answers with one block of an answer once the answer is frozen. It may be
// called from any goroutine.
func (p *Part) servePage(frozen []*frozenNode, r *protocol.Request, out *protocol.Response) (err error) {
	node, _, err := p.spec.AnswerNode(r.Query)
	if err != nil {
		out.Code, out.Error = protocol.Refused, err.Error()
		return nil
	}
	at := slices.IndexFunc(frozen, func(f *frozenNode) bool { return f.Node == node })
	if at < 0 {
		return nil
	}
	rd, err := p.openSegment(frozen[at].Name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rd.Close()) }()
	partition := 0
	for _, way := range p.spec.Outlets(node) {
		partition += len(way.Receivers)
	}
	var blocks []int
	for i, b := range rd.Segment().Blocks {
		if b.Partition == partition {
			blocks = append(blocks, i)
		}
	}
	out.Ready, out.Pages = true, len(blocks)
	if r.Page < 0 || r.Page >= len(blocks) {
		return nil
	}
	out.Data, err = rd.ReadMessage(blocks[r.Page], nil)
	return err
}
