package bench

import (
	"os"
	"path/filepath"
	"testing"
)

// Groups are directories; here nobody reads what is written to them.
func TestMachines(t *testing.T) {
	m := &machines{groups: []string{t.TempDir(), t.TempDir()}}
	all := map[int]Process{
		11: {Name: brokerProcess}, 12: {Name: "worker 1"}, 13: {Name: "worker 0"}, 14: {Name: gatewayProcess}, 15: {Name: gatewayProcess},
	}
	for i, taken := range []map[int]Process{{12: all[12], 14: all[14]}, {11: all[11], 13: all[13]}} {
		if err := m.take(taken); err != nil {
			t.Fatal(err)
		}
		for group, want := range [][]string{{"14", "12"}, {"13", "12"}}[i] {
			if got := read(t, m.groups[group], "cgroup.procs"); got != want {
				t.Errorf("machine %d has process %s, not %s", group, got, want)
			}
		}
	}
	if err := m.take(map[int]Process{14: all[14], 15: all[15]}); err != nil || read(t, m.groups[1], "cgroup.procs") != "15" {
		t.Errorf("the second gateway is elsewhere, %v", err)
	}
	for unified, want := range map[bool]map[string]string{
		false: {"cpu.cfs_quota_us": "2500", "cpu.cfs_period_us": "20000"}, true: {"cpu.max": "2500 20000"},
	} {
		if err := limit(m.groups[0], unified, 0.125); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			if got := read(t, m.groups[0], name); got != text {
				t.Errorf("%s is %q, not %q", name, got, text)
			}
		}
	}
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
