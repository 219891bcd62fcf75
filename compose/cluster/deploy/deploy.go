// Package deploy describes a cluster for other systems to run: as a Docker Compose file, with
// the secrets that it names, or as Kubernetes objects; or as the topology of several computers, on
// each of which supervisors run what is its own.
//
// The first two say the same about each process: its flags, its memory, where its state is kept, whom
// it may talk to, and that it does not run as root and cannot write anywhere else. They
// differ in who restarts a process: with Compose the supervisors do, with Kubernetes it does.
package deploy

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strconv"
	"text/template"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/shuffle/broker"
)

// Names of files beside the Compose file; secretsDir holds the secrets.
const (
	composeName  = "compose.yaml"
	topologyName = "topology.json"
	secretsDir   = "secrets"
)

// Cluster is what should run. All counts but those of supervisors and clients are at least
// one; on hosts there are no brokers of its own.
type Cluster struct {
	// Name distinguishes the cluster from others: in the state of workers, and in labels.
	Name                                             string
	Workers, Gateways, Supervisors, Brokers, Clients int
	Queues                                           broker.Kind
	Image, BrokerImage                               string
	Memory                                           int64  // of each worker and gateway, in bytes
	Publish                                          string // address of the host on which Compose publishes gateways
	Port                                             int    // the first published port of the gateways
	// TLS has gateways encrypt: with Compose by Certificate and Key, in PEM, and with Kubernetes by
	// a secret of its own.
	TLS              bool
	Certificate, Key string
	// Directories and Buckets are below what gateways read files for clients. Compose mounts the
	// directories of the host, which have full paths, where they are, read only; Kubernetes has none. Who
	// asks for buckets is said by the variables of BucketVariables, which Compose passes on, and
	// Kubernetes takes from a secret.
	Directories, Buckets []string
	// DockerGroup is the group that owns Docker's socket; supervisors run in it.
	DockerGroup int
	// Datasets are what clients submit, in turn; Data holds a directory of each.
	Datasets []string
}

// BucketVariables are the variables that say where the store of buckets is, and who asks it.
func BucketVariables() []string {
	return []string{
		"AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_REGION", "AWS_DEFAULT_REGION",
		"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
	}
}

const (
	listenPort  = 8815 // of a gateway, inside
	monitorPort = 9090 // of health and metrics
	gossipPort  = 7946
	brokerPort  = 5672
	// nobody is the user of all our processes, who owns no file of the system.
	nobody = 65532
	// beside is memory that a process may use beyond --memory, which counts its data and not
	// the program.
	beside       = 128 << 20
	brokerMemory = 1 << 30
)

// Compose writes a Compose file, for Docker Compose of version 1.28 or newer.
func Compose(c Cluster) ([]byte, error) { return c.write("compose.yaml.tmpl") }

// Kubernetes writes the objects of a cluster, for Kubernetes 1.28 or newer with the RabbitMQ
// operator (https://www.rabbitmq.com/kubernetes/operator/operator-overview). Kubernetes
// restarts processes, so there are no supervisors; nor are there clients.
func Kubernetes(c Cluster) ([]byte, error) { return c.write("kubernetes.yaml.tmpl") }

//go:embed *.yaml.tmpl
var templates embed.FS

// write fills in a template.
func (c Cluster) write(name string) ([]byte, error) {
	fixed := template.FuncMap{
		"listenPort": func() int { return listenPort }, "monitorPort": func() int { return monitorPort },
		"gossipPort": func() int { return gossipPort }, "brokerPort": func() int { return brokerPort },
		"nobody": func() int { return nobody }, "brokerMemory": func() int64 { return brokerMemory },
		"dockerSocket": func() string { return supervisor.DockerSocket },

		"bucketVariables": BucketVariables,
		"publish":         func(host string, port int) string { return net.JoinHostPort(host, strconv.Itoa(port)) },

		"add":   func(a, b int) int { return a + b },
		"mib":   func(bytes int64) int64 { return bytes >> 20 },
		"limit": func(memory int64) int64 { return memory + beside },
		"json": func(text string) (string, error) { // JSON is also YAML, whatever it contains
			quoted, err := json.Marshal(text)
			return string(quoted), err
		},
	}
	t, err := template.New(name).Funcs(fixed).ParseFS(templates, name)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, node{Cluster: c}); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return b.Bytes(), nil
}

// node is one process of a cluster, or all of one role, as templates see it.
type node struct {
	Cluster
	Role  membership.Role
	Index int // within its role
}

// Each returns the processes of a role.
func (n node) Each(role membership.Role) []node {
	number := map[membership.Role]int{
		membership.Broker: n.Brokers, membership.Worker: n.Workers, membership.Gateway: n.Gateways,
		membership.Supervisor: n.Supervisors, client: n.Clients,
	}
	nodes := make([]node, number[role])
	for i := range nodes {
		nodes[i] = node{n.Cluster, role, i}
	}
	return nodes
}

// client is the role of processes that are no members.
const client membership.Role = "client"

// As returns all processes of a role.
func (n node) As(role membership.Role) node { return node{Cluster: n.Cluster, Role: role} }

// Object is the name of the role's processes in Kubernetes.
func (n node) Object() string { return fmt.Sprintf("%s-%s", n.Name, n.Role) }

// Node is the name of the process, such as worker-0.
func (n node) Node() string { return fmt.Sprintf("%s-%d", n.Role, n.Index) }

// Inner is the name of the process that exists on the inner network only.
func (n node) Inner() string { return n.Node() + ".inside" }

// Sources are all places below which gateways read.
func (n node) Sources() []string { return slices.Concat(n.Directories, n.Buckets) }

// Dataset is what a client submits.
func (n node) Dataset() string { return n.Datasets[n.Index%len(n.Datasets)] }

// Topology writes the nodes that supervisors keep alive: all but clients.
func Topology(c Cluster) ([]byte, error) {
	t := supervisor.Topology{Cluster: c.Name}
	for _, role := range []membership.Role{membership.Broker, membership.Worker, membership.Gateway, membership.Supervisor} {
		for _, n := range (node{Cluster: c}).Each(role) {
			listed := supervisor.Node{Name: n.Node(), Role: role}
			if role == membership.Broker {
				listed.AMQP = fmt.Sprintf("%s:%d", n.Node(), brokerPort)
			} else {
				listed.HTTP = fmt.Sprintf("%s:%d", n.Inner(), monitorPort)
			}
			t.Nodes = append(t.Nodes, listed)
		}
	}
	return encodeTopology(t)
}

// encodeTopology writes a topology if there is nothing wrong with it.
func encodeTopology(t supervisor.Topology) ([]byte, error) {
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return json.MarshalIndent(t, "", "  ")
}
