package main

import (
	"context"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

const flagHost = "host"

// stopGrace is how long nodes may take to end that “cluster stop” ends.
const stopGrace = 20 * time.Second

// host starts or ends what one of several computers runs.
func (r *clusterRun) host(ctx context.Context, action string) error {
	next := "Next: analyzer cluster " + action + " --topology FILE --host NAME"
	if err := needUnix(runtime.GOOS, name+" cluster "+action); err != nil {
		return err
	}
	if err := r.settings.Need(next, flagTopology, flagHost); err != nil {
		return err
	}
	host, _ := r.settings.One(flagHost)
	file, _ := r.settings.One(flagTopology)
	t, full, err := r.topology()
	if err != nil {
		return err
	}
	switch hosts := t.Hosts(); {
	case slices.Equal(hosts, []string{""}):
		return file.Wrong("%s has no hosts: it is of a cluster on one machine", file.Text)
	case !slices.Contains(hosts, host.Text):
		return host.Wrong("the topology has no host %q; it has %s", host.Text, strings.Join(hosts, ", "))
	}
	processes, err := processesOf(full, t)
	if err != nil {
		return err
	}
	processes.In = filepath.Dir(full)
	if broker, given := r.settings.One(flagBroker); given {
		processes.Env = append(processes.Env, "ANALYZER_BROKER="+broker.Text)
	}
	if action == "stop" {
		return processes.HaltHost(ctx, t, host.Text, stopGrace)
	}
	if err := processes.StartHost(ctx, t, host.Text); err != nil {
		return err
	}
	i := slices.IndexFunc(t.Nodes, func(n supervisor.Node) bool { return n.Role == membership.Supervisor && n.Host == host.Text })
	r.tellf("The supervisors of host %s run, and start the rest; logs are in %s.\nNext: analyzer cluster status --node %s, with --token-file if there are tokens",
		host.Text, filepath.Join(processes.Dir, supervisor.LogDir), t.Nodes[i].HTTP)
	return nil
}
