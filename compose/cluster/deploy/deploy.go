// Package deploy writes down a cluster for those who run it elsewhere: as a Docker
// Compose file, with the secrets that it names, or as objects of Kubernetes.
//
// Both say the same of each process: its flags, how much memory it may take, where
// its state is kept, whom it may talk to, and that it is no superuser and cannot
// write anywhere else. What they differ in is who starts a process again: here the
// supervisors do, there Kubernetes does.
package deploy

import (
	"bytes"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"

	"analyzer/shuffle/broker"
)

// Cluster is what is to run. All counts but those of supervisors and clients are
// one at least.
type Cluster struct {
	// Name tells the cluster from others: in the state of workers, in labels.
	Name                                             string
	Workers, Gateways, Supervisors, Brokers, Clients int
	Queues                                           broker.Kind
	Image, BrokerImage                               string
	Memory                                           int64 // of each worker and gateway, in bytes
	Port                                             int   // gateways are published from it on
	// DockerGroup owns the socket of Docker, to which supervisors belong.
	DockerGroup int
	// Datasets are what clients submit, by turns; a directory of each is below Data.
	Datasets []string
}

const (
	listenPort  = 8815 // of a gateway, inside
	monitorPort = 9090 // of health and metrics
	gossipPort  = 7946
	brokerPort  = 5672
	// nobody is the user of all processes of ours, which owns no file of the system.
	nobody = 65532
	// beside is memory that a process may take beyond --memory, which holds what it
	// keeps and not its program.
	beside       = 128 << 20
	brokerMemory = 1 << 30
	brokerCPUs   = 2
	// grace is how long a process may take to write down what it holds: it needs
	// less than 10 s.
	grace = "15s"
)

// object is one of YAML's, whose keys come in the order of the alphabet.
type object = map[string]any

// flags are those that all processes of one role have, but for names of their own.
func (c *Cluster) flags(role string) []string {
	f := []string{role, "--cluster", c.Name, "--log-format", "json"}
	switch role {
	case "worker":
		f = append(f, "--state", "/state")
	case "gateway":
		f = append(f, "--replicas", strconv.Itoa(c.Workers), "--listen", fmt.Sprintf("0.0.0.0:%d", listenPort))
	}
	return append(f, "--queue-type", c.Queues.String(), "--memory", mebibytes(c.Memory, "MiB"))
}

// numbered are the names of so many of a role: worker-0, worker-1 …
func numbered(role string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s-%d", role, i)
	}
	return names
}

func mebibytes(bytes int64, unit string) string {
	return strconv.FormatInt(bytes>>20, 10) + unit
}

// document writes an object, after a comment of lines that say what it is.
func document(comment string, objects ...object) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(comment)
	e := yaml.NewEncoder(&b)
	e.SetIndent(2)
	for _, o := range objects {
		if err := e.Encode(o); err != nil {
			return nil, fmt.Errorf("write YAML: %w", err)
		}
	}
	return b.Bytes(), e.Close()
}
