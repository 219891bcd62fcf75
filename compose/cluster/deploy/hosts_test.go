package deploy

import (
	"slices"
	"strings"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/shuffle/broker"
)

// Each node of several computers has a host and ports of its own there, and knows the supervisors of all.
func TestHosts(t *testing.T) {
	disk := vfs.NewMem()
	c := Cluster{Name: "c", Workers: 3, Gateways: 2, Supervisors: 2, Port: 8815, Memory: 1 << 30, Queues: broker.Quorum, Directories: []string{"/data"}}
	hosts := []Host{{"a", "10.0.0.1"}, {"b", "10.0.0.2"}}
	file, err := WriteHosts(disk, disk, "/here", c, hosts)
	if err != nil || file != "/here/topology.json" {
		t.Fatalf("%q, %v", file, err)
	}
	if names, err := disk.List("/here/secrets"); err != nil || !slices.Equal(names, []string{"gossip-key", "tokens"}) {
		t.Errorf("the secrets are %q, %v", names, err)
	}
	text, err := vfs.ReadFile(disk, file)
	if err != nil {
		t.Fatal(err)
	}
	topology, err := supervisor.ParseTopology(text)
	if err != nil {
		t.Fatal(err)
	}
	join := "--join 10.0.0.1:7946,10.0.0.1:7947,10.0.0.2:7946,10.0.0.2:7947 "
	taken, nodes := make(map[string]string), make(map[membership.Role]int)
	for _, n := range topology.Nodes {
		nodes[n.Role]++
		line := strings.Join(n.Args, " ") + " "
		if !strings.HasPrefix(line, string(n.Role)+" --name "+n.Name+" ") || !strings.Contains(line, join) || strings.Contains(line, "\x00") {
			t.Errorf("%s: %q", n.Name, line)
		}
		for _, flag := range []string{"--http", "--gossip", "--listen"} {
			i := slices.Index(n.Args, flag)
			if i < 0 {
				continue
			}
			address := n.Args[i+1]
			if other := taken[address]; other != "" {
				t.Errorf("%s and %s have %s", other, n.Name, address)
			}
			if taken[address] = n.Name; !strings.HasPrefix(address, map[string]string{"a": "10.0.0.1:", "b": "10.0.0.2:"}[n.Host]) {
				t.Errorf("%s is on host %s, at %s", n.Name, n.Host, address)
			}
		}
		if n.Role == membership.Gateway && !strings.Contains(line, "--source /data ") || n.Role != membership.Supervisor && !strings.Contains(line, "--queue-type quorum ") {
			t.Errorf("%s: %q", n.Name, line)
		}
	}
	if nodes[membership.Worker] != 3 || nodes[membership.Gateway] != 2 || nodes[membership.Supervisor] != 4 || len(nodes) != 3 {
		t.Errorf("nodes: %v", nodes)
	}
	for _, wrong := range [][]Host{{{"A", "10.0.0.1"}, {"b", "10.0.0.2"}}, {{"", "10.0.0.1"}, {"b", "10.0.0.2"}}} {
		if _, err := WriteHosts(disk, disk, "/there", c, wrong); err == nil {
			t.Errorf("hosts %v are possible", wrong)
		}
	}
}
