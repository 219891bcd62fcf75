package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/deploy"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/supervisor"
	"analyzer/datasets/catalog"
	"analyzer/shuffle/broker"
)

const (
	flagImage       = "image"
	flagBrokerImage = "broker-image"
	flagPort        = "port"
)

// Of a cluster that is written down unless flags say otherwise.
const (
	usualDeployment  = "worker=2,gateway=1,supervisor=0,broker=1,client=0"
	usualImage       = "analyzer"
	usualBrokerImage = "rabbitmq:4"
	usualPort        = 8815
	usualDeployed    = 1 << 30
)

func (p *program) composeCommand() *cli.Command {
	return &cli.Command{
		Name: "compose", Usage: "write a Docker Compose file or Kubernetes objects",
		Description: "Prints them, or with --output writes the Compose file into a directory together with the secrets\n" +
			"that it names; passwords that are there already stay.",
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: flagReplicas, Usage: "run so many of each `ROLE=N`", DefaultText: usualDeployment},
			&cli.StringFlag{Name: flagFormat, Usage: "write `FORMAT`: compose or kubernetes", DefaultText: "compose"},
			queueTypeFlag(),
			&cli.StringFlag{Name: flagMemory, Usage: "keep each worker and gateway near `SIZE`, such as 256MiB", DefaultText: "1GiB"},
			&cli.StringFlag{Name: flagName, Usage: "call the cluster `NAME`", DefaultText: "analyzer"},
			&cli.StringFlag{Name: flagPort, Usage: "publish gateways on ports from `N` on", DefaultText: strconv.Itoa(usualPort)},
			&cli.StringFlag{Name: flagImage, Usage: "run `IMAGE`, which “make image” makes", DefaultText: usualImage},
			&cli.StringFlag{Name: flagBrokerImage, Usage: "run `IMAGE` as the broker", DefaultText: usualBrokerImage},
			&cli.StringFlag{Name: flagOutput, Usage: "write into `DIR`"}, quietFlag(),
			configFlag(),
		},
		Action: p.compose,
	}
}

func (p *program) compose(c *cli.Context) error {
	_, s, err := p.begin(c, 0)
	if err != nil {
		return err
	}
	cluster, err := deployment(s)
	if err != nil {
		return err
	}
	write, err := settings.Parse(s, flagFormat, deploy.Compose, func(text string) (func(deploy.Cluster) ([]byte, error), error) {
		switch text {
		case "compose":
			return deploy.Compose, nil
		case "kubernetes":
			return deploy.Kubernetes, nil
		}
		return nil, fmt.Errorf("there is no format %q; there are compose, kubernetes", text)
	})
	if err != nil {
		return err
	}
	text, err := write(cluster)
	if err != nil {
		return err
	}
	dir := s.Text(flagOutput)
	if dir == "" {
		return p.printf("%s", text)
	}
	if s.Text(flagFormat) == "kubernetes" {
		v, _ := s.One(flagOutput)
		return v.Wrong("Kubernetes has secrets of its own: print the objects, | kubectl apply -f -")
	}
	return p.writeDeployment(dir, text, cluster)
}

// writeDeployment writes a Compose file, what supervisors read, and the secrets that
// are not there yet.
func (p *program) writeDeployment(dir string, text []byte, cluster deploy.Cluster) error {
	below := filepath.Join(dir, deploy.SecretsDir)
	if err := os.MkdirAll(below, 0o700); err != nil {
		return err
	}
	if err := writeSecrets(below, cluster); err != nil {
		return err
	}
	topology, err := deploy.Topology(cluster)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, deploy.ComposeFile)
	if err := errors.Join(os.WriteFile(file, text, 0o644), os.WriteFile(filepath.Join(dir, deploy.TopologyFile), topology, 0o644)); err != nil {
		return err
	}
	p.tellf("Wrote %s and its secrets.\nNext: docker compose -f %s up -d", file, file)
	return nil
}

// writeSecrets writes the secrets of a cluster, of which some may be there. Users inside
// of containers read them.
func writeSecrets(dir string, cluster deploy.Cluster) error {
	before := make(map[string]string)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		before[e.Name()] = string(content)
	}
	secrets, err := cluster.Secrets(before)
	if err != nil {
		return exit.Failure("Next: put it back, or remove the directory, and the volumes of the brokers that know it.",
			fmt.Errorf("keep the password in %s: %w", dir, err))
	}
	for name, content := range secrets {
		if content == before[name] {
			continue
		}
		if err := vfs.Replace(vfs.OS(), filepath.Join(dir, name), []byte(content)); err != nil {
			return err
		}
	}
	return nil
}

// deployment is the cluster that flags describe.
func deployment(s *settings.Settings) (c deploy.Cluster, err error) {
	c = deploy.Cluster{
		Name: cmp.Or(s.Text(flagName), "analyzer"), Image: cmp.Or(s.Text(flagImage), usualImage),
		BrokerImage: cmp.Or(s.Text(flagBrokerImage), usualBrokerImage), Datasets: catalog.Names(), DockerGroup: dockerGroup(),
	}
	if c.Queues, err = settings.Parse(s, flagQueueType, broker.Classic, broker.ParseKind); err != nil {
		return c, err
	}
	if c.Memory, err = settings.Parse(s, flagMemory, usualDeployed, parseMemory); err != nil {
		return c, err
	}
	if c.Port, err = settings.Parse(s, flagPort, usualPort, strconv.Atoi); err != nil {
		return c, err
	}
	counts := []roleCount{
		{"worker", &c.Workers, 1, protocol.MaxReplicas},
		{"gateway", &c.Gateways, 1, 64},
		{"supervisor", &c.Supervisors, 0, 9},
		{"broker", &c.Brokers, 1, 9},
		{"client", &c.Clients, 0, 64},
	}
	given, _ := s.One(flagReplicas)
	for _, pair := range append(strings.Split(usualDeployment, ","), s.List(flagReplicas)...) {
		role, number, _ := strings.Cut(pair, "=")
		i := slices.IndexFunc(counts, func(c roleCount) bool { return c.role == role })
		if i < 0 {
			return c, given.Wrong("%q is not ROLE=N of a role that there is: worker, gateway, supervisor, broker, client", pair)
		}
		n, err := strconv.Atoi(number)
		if err != nil || n < counts[i].least || n > counts[i].most {
			return c, given.Wrong("%q: expected %d to %d", pair, counts[i].least, counts[i].most)
		}
		*counts[i].n = n
	}
	return c, nil
}

// roleCount is how many processes of a role there are, and may be.
type roleCount struct {
	role        string
	n           *int
	least, most int
}

// dockerGroup owns the socket of Docker on this machine, or on most others.
func dockerGroup() int {
	if info, err := os.Stat(supervisor.DockerSocket); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			return int(stat.Gid)
		}
	}
	return 999
}
