package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"go.yaml.in/yaml/v3"

	"analyzer/compose/cluster/deploy"
	"analyzer/shuffle/broker"
)

// TestDeployedFlagsExist holds the command lines of the Compose file to the flags
// that commands have.
func TestDeployedFlagsExist(t *testing.T) {
	text, err := deploy.Compose(deploy.Cluster{
		Name: "demo", Workers: 2, Gateways: 2, Supervisors: 2, Brokers: 1, Clients: 1, Queues: broker.Quorum,
		Image: "analyzer", BrokerImage: "rabbitmq", Memory: 256 << 20, Publish: "127.0.0.1", Port: 9000, TLS: true, Datasets: []string{"movies"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Services map[string]struct{ Command []string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	app := (&program{console: console{stdout: io.Discard, stderr: io.Discard}}).app()
	for name, s := range file.Services {
		if strings.HasPrefix(name, "broker-") {
			continue
		}
		command := app.Command(s.Command[0])
		if command == nil {
			t.Errorf("%s runs %q, which is no command", name, s.Command[0])
			continue
		}
		for _, arg := range s.Command[1:] {
			flag, ok := strings.CutPrefix(arg, "--")
			if ok && !slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return f.Names()[0] == flag }) {
				t.Errorf("%s: %s has no flag --%s", name, s.Command[0], flag)
			}
		}
	}
}
