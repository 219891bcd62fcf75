package planner

// cut puts the nodes into stages: a node joins the stage of the inputs it reads
// without an exchange. Scans start stages of their own, one for each table and
// phase, since a table is read once for all who want it then.
func (p *planner) cut() {
	stageOf := make([]int, len(p.plan.Nodes)) // union-find over nodes, then numbers
	for i := range stageOf {
		stageOf[i] = i
	}
	find := func(i int) int {
		for stageOf[i] != i {
			stageOf[i] = stageOf[stageOf[i]]
			i = stageOf[i]
		}
		return i
	}
	type pass struct {
		table string
		phase int
	}
	scans := make(map[pass]int)
	for _, n := range p.plan.Nodes {
		if n.Scan != nil {
			key := pass{n.Scan.Table, n.Scan.Phase}
			if first, ok := scans[key]; ok {
				stageOf[find(n.ID)] = find(first)
			} else {
				scans[key] = n.ID
			}
		}
		for _, in := range n.Inputs {
			if in.Exchange == nil {
				stageOf[find(n.ID)] = find(in.Node)
			}
		}
	}
	numbers := make(map[int]*Stage)
	for _, n := range p.plan.Nodes {
		root := find(n.ID)
		s := numbers[root]
		if s == nil {
			s = &Stage{ID: len(p.plan.Stages), Single: true}
			numbers[root] = s
			p.plan.Stages = append(p.plan.Stages, s)
		}
		n.Stage = s.ID
		s.Nodes = append(s.Nodes, n.ID)
		s.Single = s.Single && p.placed[n.ID].kind == onOne
		if n.Scan != nil {
			s.Table, s.Phase = n.Scan.Table, n.Scan.Phase
		}
	}
}
