package bench

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"
)

// clusterReport is a report of clusters that cost exactly what a model says they do.
func clusterReport(replicas ...int) *Report {
	r := &Report{Format: Format, Machine: Machine{Cores: 2}, Workloads: []Result{{Name: "groups"}, {Name: "books"}}}
	for i, input := range []float64{1e9, 4e9} {
		for _, n := range replicas {
			uploaded, between := int64(input/1e6)*int64(n), int64(3*n*n)
			messages, body := uploaded+between, int64(input/float64(2+3*i))
			run := Run{
				Wall: 1, Bytes: int64(input), Uploaded: uploaded, Messages: messages, MessageBytes: body,
				Commits: int64(10 * n), CommitTime: 0.05 * float64(10*n), Stages: []Stage{{"1: join", 2}},
				Processes: []Process{
					{Name: clientProcess, CPU: 1e-9 * input},
					{Name: "gateway", CPU: 2e-9*input + 1e-4*float64(messages)},
					{Name: brokerProcess, CPU: 3e-4*float64(messages) + 1e-9*float64(body)},
					{Name: "worker 0", CPU: 2 + 2e-4*float64(messages) + 4e-9*float64(body)},
				},
			}
			cell := Cell{Setting{Transport: RabbitMQ, Replicas: n}, []Run{run}}
			r.Workloads[i].Cells = append(r.Workloads[i].Cells, cell)
		}
	}
	return r
}

func TestModelFindsCosts(t *testing.T) {
	m, err := NewModel(clusterReport(1, 2, 4))
	if err != nil {
		t.Fatal(err)
	}
	want := Costs{1e-9, 2e-9, 1e-4, 3e-4, 1e-9, 2e-4, 4e-9, 0.05}
	for _, c := range [][2]float64{
		{m.Costs.ClientByte, want.ClientByte},
		{m.Costs.GatewayByte, want.GatewayByte},
		{m.Costs.GatewayMessage, want.GatewayMessage},
		{m.Costs.BrokerMessage, want.BrokerMessage},
		{m.Costs.BrokerByte, want.BrokerByte},
		{m.Costs.WorkerMessage, want.WorkerMessage},
		{m.Costs.WorkerByte, want.WorkerByte},
		{m.Costs.Commit, want.Commit},
	} {
		if math.Abs(c[0]-c[1]) > 1e-6*c[1] {
			t.Errorf("costs %+v, want %+v", m.Costs, want)
			break
		}
	}
}

func TestModelOfOtherSizes(t *testing.T) {
	m, err := NewModel(clusterReport(1, 4))
	if err != nil {
		t.Fatal(err)
	}
	at := m.smallest()[0].at(512)
	if math.Abs(at.uploaded-1000*512) > 1e-3 || math.Abs(at.between-3*512*512) > 1e-3 || at.commits != 10 {
		t.Errorf("512 workers: %+v", at)
	}
	s := m.seconds(at)
	if want := (3e-4*at.messages() + 1e-9*at.body) / 2; math.Abs(s.Broker-want) > 1e-6*want {
		t.Errorf("the broker is busy for %v s, want %v", s.Broker, want)
	}
	if first, _ := s.slowest(); first != "broker" {
		t.Errorf("%s saturates first: %+v", first, s)
	}
	var b bytes.Buffer
	if err := m.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"groups: M = 0.0 + 1000.0·W of gateways and 0.0·W + 3.0·W² of workers", "  4 workers: 4048 messages follow, 4048 were measured; of commits of each worker 10 and 10", "M·0.0003 s", "books     512"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("there is no %q in\n%s", want, &b)
		}
	}
	if err := m.WriteText(brokenWriter{}); err == nil {
		t.Error("no error")
	}
}

// TestModelComparesWhatIsAlike checks that counts of other data, or with another limit, are not
// predicted from these measurements.
func TestModelComparesWhatIsAlike(t *testing.T) {
	r := clusterReport(1, 2)
	groups := &r.Workloads[0]
	for _, c := range groups.Cells {
		c.Memory, c.Runs = 64<<20, slices.Clone(c.Runs)
		c.Runs[0].Messages *= 3
		groups.Cells = append(groups.Cells, c)
	}
	m, err := NewModel(r)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(m.check(), " follow"); n != 3 {
		t.Errorf("of three pairs of loads that are alike it compares\n%s", m.check())
	}
	if all := m.largest(); len(all) != 2 || all[0].limit != 0 {
		t.Errorf("what follows is of %+v", all)
	}
}

// TestMessagesGrowAsMeasured checks that messages of workers to a single worker grow with the
// number of workers, and not with its square.
func TestMessagesGrowAsMeasured(t *testing.T) {
	var loads []load
	for _, w := range []int{1, 2, 4} {
		loads = append(loads, load{replicas: w, uploaded: float64(20 + 5*w), between: float64(2 * w)})
	}
	g := growthOf(loads)
	if at := (load{growth: g}).at(512); math.Abs(at.uploaded-(20+5*512)) > 1 || math.Abs(at.between-2*512) > 1 {
		t.Errorf("with %+v 512 workers are sent %v messages and send %v", g, at.uploaded, at.between)
	}
	if one := growthOf(loads[1:2]); one != (growth{each: 15, pairs: 1}) {
		t.Errorf("of one number of workers: %+v", one)
	}
}

func TestModelNeedsACluster(t *testing.T) {
	if _, err := NewModel(&Report{Workloads: measured().Workloads[1:]}); err == nil || !strings.Contains(err.Error(), "--transport rabbitmq") {
		t.Errorf("error %v", err)
	}
	m, err := NewModel(clusterReport(2))
	if err != nil || !strings.Contains(m.check(), "could not be checked") {
		t.Errorf("%v, %v", m, err)
	}
}
