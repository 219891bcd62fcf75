package bench

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

// Costs are the unit costs of a cluster's work, estimated from the runs of a report. They are
// in processor seconds unless noted otherwise.
type Costs struct {
	ClientByte     float64 // per byte of input
	GatewayByte    float64 // per byte of input
	GatewayMessage float64
	BrokerMessage  float64
	BrokerByte     float64 // per byte of a message's body
	WorkerMessage  float64 // received, logged, and sent on
	WorkerByte     float64
	Commit         float64 // seconds that a worker waits for its disk
}

// load is what one run of a workload asks of a cluster.
type load struct {
	workload string
	scale    float64 // of its data
	limit    int64   // of memory
	replicas int
	bytes    float64 // of input
	uploaded float64 // messages sent by gateways
	between  float64 // messages sent by workers
	body     float64 // bytes of messages
	commits  float64 // of each worker
	compute  float64 // seconds of stages, over all workers
	growth   growth

	cpu  map[string]float64 // seconds by kind of process; those of workers exclude compute
	disk float64            // seconds that workers waited for their disks
}

// growth says how the number of messages depends on the number of workers W. Gateways send
// fixed + each·W, since a batch becomes one message per worker, some of which are combined.
// Workers send single·W + pairs·W², since each sends to one worker, or to all.
type growth struct{ fixed, each, single, pairs float64 }

// Model predicts, from the measurements of a report, how clusters of other sizes perform.
type Model struct {
	Costs Costs
	cores float64
	// machine is how many cores each machine has that is a worker and a gateway which reads; 0: the
	// client reads, and each process is on a machine of its own.
	machine float64
	loads   []load
}

// NewModel makes a model from the clusters of a report. It is an error if there are none.
func NewModel(r *Report) (*Model, error) {
	m := &Model{cores: float64(r.Machine.Cores), machine: r.MachineCores}
	for w, c := range r.cells() {
		if !modelled(c.Setting) {
			continue
		}
		run := c.MedianRun()
		l := load{
			workload: w.Name, scale: c.Scale, limit: c.Memory, replicas: c.Replicas, bytes: float64(run.Bytes), uploaded: float64(run.Uploaded),
			between: float64(run.Messages - run.Uploaded), body: float64(run.MessageBytes), commits: float64(run.Commits) / float64(c.Replicas),
			cpu: run.ByKind(), disk: run.CommitTime,
		}
		for _, s := range run.Stages {
			l.compute += s.Time
		}
		// On a busy machine the time of stages includes waiting, which is not work.
		l.compute = min(l.compute, l.cpu[workerProcess])
		l.cpu[workerProcess] -= l.compute
		m.loads = append(m.loads, l)
	}
	if len(m.loads) == 0 {
		return nil, errors.New("there is no cluster among what was measured: bench with --transport rabbitmq, best with --replicas 1,2,4")
	}
	m.grow()
	cpu := func(kind string) amount { return func(l load) float64 { return l.cpu[kind] } }
	input, body := func(l load) float64 { return l.bytes }, func(l load) float64 { return l.body }
	m.Costs.ClientByte, _ = fit(m.loads, cpu(clientProcess), input, none)
	m.Costs.GatewayByte, m.Costs.GatewayMessage = fit(m.loads, cpu(gatewayProcess), input, load.messages)
	m.Costs.BrokerMessage, m.Costs.BrokerByte = fit(m.loads, cpu(brokerProcess), load.messages, body)
	m.Costs.WorkerMessage, m.Costs.WorkerByte = fit(m.loads, cpu(workerProcess), load.messages, body)
	m.Costs.Commit, _ = fit(m.loads, func(l load) float64 { return l.disk }, func(l load) float64 { return l.commits * float64(l.replicas) }, none)
	return m, nil
}

// modelled reports whether a model is made from what was measured with a setting.
func modelled(s Setting) bool { return s.Transport != InMemory && s.Replicas > 0 && s.plain() }

// amount returns one figure of a load.
type amount = func(load) float64

func none(load) float64 { return 0 }

// fit returns the non-negative costs a and b for which a·x + b·z is closest to y. It minimises
// the squares of relative errors, so that small runs count as much as large ones.
func fit(loads []load, y, x, z amount) (a, b float64) {
	var xx, xz, zz, xy, zy float64
	for _, l := range loads {
		if y(l) <= 1e-9 { // nothing was used, or the use is not known
			continue
		}
		u, v := x(l)/y(l), z(l)/y(l)
		xx, xz, zz, xy, zy = xx+u*u, xz+u*v, zz+v*v, xy+u, zy+v
	}
	if det := xx*zz - xz*xz; det > 1e-9*xx*zz {
		a, b = (xy*zz-zy*xz)/det, (zy*xx-xy*xz)/det
	}
	switch {
	case xy == 0 && zy == 0: // nothing was used
		return 0, 0
	case a > 0 && b >= 0:
		return a, b
	case zz == 0 || xx > 0 && xy*xy*zz >= zy*zy*xx: // x alone explains more than z alone
		return xy / max(xx, math.SmallestNonzeroFloat64), 0
	}
	return 0, zy / zz
}

// growthOf estimates the growth of messages from loads that are alike. If only one number of
// workers was measured, it assumes the fastest growth possible.
func growthOf(loads []load) (g growth) {
	one, workers := func(load) float64 { return 1 }, func(l load) float64 { return float64(l.replicas) }
	squared := func(l load) float64 { return workers(l) * workers(l) }
	uploaded, between := func(l load) float64 { return l.uploaded }, func(l load) float64 { return l.between }
	if !slices.ContainsFunc(loads, func(l load) bool { return l.replicas != loads[0].replicas }) {
		g.each, _ = fit(loads, uploaded, workers, none)
		g.pairs, _ = fit(loads, between, squared, none)
		return g
	}
	g.fixed, g.each = fit(loads, uploaded, one, workers)
	g.single, g.pairs = fit(loads, between, workers, squared)
	return g
}

// grow sets the growth of each load from all loads that are alike.
func (m *Model) grow() {
	for i, l := range m.loads {
		m.loads[i].growth = growthOf(slices.DeleteFunc(slices.Clone(m.loads), func(o load) bool { return !l.alike(o) }))
	}
}

// at returns the load with another number of workers. With more workers, each receives
// smaller messages rather than fewer, so it commits as often.
func (l load) at(workers int) load {
	w, g := float64(workers), l.growth
	l.uploaded = g.fixed + g.each*w
	l.between = g.single*w + g.pairs*w*w
	l.replicas = workers
	return l
}

func (l load) messages() float64 { return l.uploaded + l.between }

// Seconds says how long one run keeps each resource of a cluster busy, if the cluster has one
// of each and the load's number of workers. A Machine is a gateway that reads and a worker, for which
// Gateway, Worker and Disk are 0 then.
type Seconds struct{ Client, Gateway, Broker, Worker, Disk, Machine float64 }

// seconds returns how long a load keeps each resource busy.
func (m *Model) seconds(l load) Seconds {
	c, workers := m.Costs, float64(l.replicas)
	gateways := c.GatewayByte*l.bytes + c.GatewayMessage*l.messages()
	all := l.compute + c.WorkerMessage*l.messages() + c.WorkerByte*l.body // of the workers
	s := Seconds{
		Client: c.ClientByte * l.bytes / m.cores,
		Broker: (c.BrokerMessage*l.messages() + c.BrokerByte*l.body) / m.cores,
	}
	if m.machine > 0 {
		s.Machine = (gateways + all) / workers / m.machine
		return s
	}
	s.Gateway, s.Worker, s.Disk = gateways/m.cores, all/workers/m.cores, c.Commit*l.commits
	return s
}

// slowest returns the resource that is busy longest, and for how long.
func (s Seconds) slowest() (name string, seconds float64) {
	for _, r := range []struct {
		name    string
		seconds float64
	}{{"client", s.Client}, {"gateway", s.Gateway}, {"broker", s.Broker}, {"workers", s.Worker}, {"disks", s.Disk}, {"machines", s.Machine}} {
		if r.seconds > seconds {
			name, seconds = r.name, r.seconds
		}
	}
	return name, seconds
}

// quorum is how many nodes keep each message of a quorum queue.
const quorum = 3

// predicted returns the numbers of workers that predictions are made for.
func predicted() []int { return []int{8, 64, 512} }

const modelText = `Machines of %.0f cores each. With W workers a run over B bytes keeps busy

  a client    B·%.3g s, by the byte of input
  a gateway   B·%.3g s + M·%.3g s, by the byte and the message
  a broker    M·%.3g s + V·%.3g s, by the message and the byte in it
  a worker    (C + M·%.3g s + V·%.3g s) / W, by what stages compute, the message and the byte in it
  a disk      K·%.3g s, by the commit of a worker

on all cores of its machine but for the disk, which waits. M is how many messages there are: gateways
send a + b·W, as each batch becomes one for each worker, some of which go together; workers c·W + d·W²,
as they send to one, or to all. Where one number of workers was measured, all is taken for b and d,
which is the most. V, the bytes in them, C, and K, the commits of each worker, stay. What is busy
longest decides the rate. “Wanted” is how many clients, gateways and nodes of a broker would keep
up with the workers and their disks. Quorum queues are kept by %d nodes, each of which does all of the
work of a queue, so that they take %d times as many.
`

const machinesText = `Machines of %g cores each, with a worker and a gateway that reads. With W of them a run over B bytes
takes processor time

  of machines (B·%.3g s + C + M·%.3g s + V·%.3g s) / W, by the byte of input, what stages
              compute, the message and the byte in it
  of a broker M·%.3g s + V·%.3g s, by the message and the byte in it, on %.0f cores of its own

M is how many messages there are: gateways send a + b·W, as each batch becomes one for each worker, some
of which go together; workers c·W + d·W², as they send to one, or to all. Where one number of machines
was measured, all is taken for b and d, which is the most. V, the bytes in them, and C stay. What is busy
longest decides the rate. What commits wait for is mostly a part of the processor, which is counted
already. The costs are fitted to all runs: what takes longer than they say, waits for something else.
`

// formula returns the formula with its costs.
func (m *Model) formula() string {
	c := m.Costs
	if m.machine > 0 {
		return fmt.Sprintf(machinesText, m.machine, c.GatewayByte, c.GatewayMessage+c.WorkerMessage, c.WorkerByte, c.BrokerMessage, c.BrokerByte, m.cores)
	}
	return fmt.Sprintf(modelText, m.cores, c.ClientByte, c.GatewayByte, c.GatewayMessage, c.BrokerMessage, c.BrokerByte, c.WorkerMessage, c.WorkerByte,
		c.Commit, quorum, quorum)
}

// WriteText writes the formula, its inputs, the predictions, and how well the formula explains
// the counts that were measured.
func (m *Model) WriteText(w io.Writer) error {
	var b bytes.Buffer
	b.WriteString(m.formula())
	inputs := [][]string{strings.Split("workload|workers|B, MB|M of gateways|of workers|V, MB|C, s|K", "|")}
	for _, l := range m.loads {
		inputs = append(inputs, []string{
			l.name(), fmt.Sprint(l.replicas), fmt.Sprintf("%.0f", l.bytes/1e6), fmt.Sprintf("%.0f", l.uploaded), fmt.Sprintf("%.0f", l.between),
			fmt.Sprintf("%.1f", l.body/1e6), fmt.Sprintf("%.2f", l.compute), fmt.Sprintf("%.0f", l.commits),
		})
	}
	heads := "workload|workers|MB/s|first to saturate|messages|"
	if m.machine > 0 {
		heads += "wanted: classic|quorum nodes"
	} else {
		heads += "wanted: clients|gateways|classic|quorum nodes"
	}
	rows := [][]string{strings.Split(heads, "|")}
	for _, l := range m.largest() {
		for _, workers := range append([]int{l.replicas}, predicted()...) {
			at := l.at(workers)
			s := m.seconds(at)
			first, seconds := s.slowest()
			kept, besides := max(s.Worker, s.Disk), []float64{s.Client, s.Gateway, s.Broker, quorum * s.Broker}
			if m.machine > 0 {
				kept, besides = s.Machine, besides[2:]
			}
			row := []string{l.name(), fmt.Sprint(workers), rateText(l.bytes / seconds), first, fmt.Sprintf("%.0f", at.messages())}
			for _, busy := range besides {
				row = append(row, fmt.Sprint(max(math.Ceil(busy/kept), 1)))
			}
			rows = append(rows, row)
		}
	}
	for _, t := range []table{
		{Title: "What was measured", Heads: inputs[0], Rows: inputs[1:], keys: 2},
		{Title: "What follows", Heads: rows[0], Rows: rows[1:], keys: 2},
	} {
		fmt.Fprintf(&b, "\n%s:\n\n", t.Title)
		if err := writeAligned(&b, t); err != nil {
			return err
		}
	}
	fmt.Fprintf(&b, "\n%s", m.check())
	return writeAll(w, b.Bytes())
}

// name returns a load's workload, scale and memory limit, for people.
func (l load) name() string {
	name := l.workload + atScale(l.scale)
	if l.limit > 0 {
		name += fmt.Sprintf(", %s MiB", mib(l.limit))
	}
	return name
}

// alike reports whether two loads differ only in the number of workers.
func (l load) alike(o load) bool {
	return l.workload == o.workload && l.scale == o.scale && l.limit == o.limit
}

// smallest returns, from each set of loads that are alike, the one with the fewest workers.
func (m *Model) smallest() []load {
	var all []load
	for _, l := range m.loads {
		i := slices.IndexFunc(all, l.alike)
		switch {
		case i < 0:
			all = append(all, l)
		case l.replicas < all[i].replicas:
			all[i] = l
		}
	}
	return all
}

// largest returns, from the smallest loads, one for each workload: that of the most data and,
// if there are several, the most memory.
func (m *Model) largest() []load {
	var all []load
	for _, l := range m.smallest() {
		i := slices.IndexFunc(all, func(o load) bool { return o.workload == l.workload })
		switch {
		case i < 0:
			all = append(all, l)
		case cmp.Or(cmp.Compare(l.scale, all[i].scale), compareLimits(l.limit, all[i].limit)) > 0:
			all[i] = l
		}
	}
	return all
}

// check returns text that says how the messages of loads that are alike grow, and how well
// that explains the counts of each load.
func (m *Model) check() string {
	var b strings.Builder
	loads := slices.SortedStableFunc(slices.Values(m.loads), func(x, y load) int { return cmp.Compare(x.replicas, y.replicas) })
	checked := false
	for _, small := range m.smallest() {
		g := small.growth
		fmt.Fprintf(&b, "%s: M = %.1f + %.1f·W of gateways and %.1f·W + %.1f·W² of workers\n", small.name(), g.fixed, g.each, g.single, g.pairs)
		for _, l := range loads {
			if !l.alike(small) || l.replicas == small.replicas {
				continue
			}
			checked = true
			at := small.at(l.replicas)
			fmt.Fprintf(&b, "  %d workers: %.0f messages follow, %.0f were measured; of commits of each worker %.0f and %.0f\n",
				l.replicas, at.messages(), l.messages(), at.commits, l.commits)
		}
	}
	if !checked {
		b.WriteString("The counts could not be checked: only one number of workers was measured.\n")
	}
	return b.String()
}
