package deploy

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
)

// Names of files beside the Compose file; SecretsDir holds the secrets.
const (
	ComposeFile  = "compose.yaml"
	TopologyFile = "topology.json"
	SecretsDir   = "secrets"
)

// Names of secrets.
const (
	secretSettings = "analyzer.yaml" // where the broker is, with its password
	secretTokens   = "tokens"        // who may call the gateways
	secretGossip   = "gossip-key"
	secretBroker   = "broker.conf"
	secretCookie   = "erlang-cookie" // by which brokers know each other
)

// Compose writes a Compose file, for Docker Compose of version 1.28 or newer.
// Brokers, workers and supervisors are on a network of their own, from which
// nothing gets out and into which only gateways are published.
func Compose(c Cluster) ([]byte, error) {
	services, volumes := object{}, object{}
	for i, name := range numbered("broker", c.Brokers) {
		services[name] = c.brokerService(i)
		volumes[name] = nil
	}
	for i, name := range numbered("worker", c.Workers) {
		services[name] = c.member(name, append(c.flags("worker"), "--replica", strconv.Itoa(i)), []string{secretSettings}, object{
			"volumes": []string{name + ":/state"},
		})
		volumes[name] = nil
	}
	for i, name := range numbered("gateway", c.Gateways) {
		services[name] = c.member(name, append(c.flags("gateway"), "--token-file", inContainer(secretTokens)), []string{secretSettings, secretTokens}, object{
			"networks": object{innerNetwork: innerName(name), "outside": object{}},
			"ports":    []string{fmt.Sprintf("%d:%d", c.Port+i, listenPort)},
		})
	}
	for i, name := range numbered("supervisor", c.Supervisors) {
		services[name] = c.supervisorService(name, i+1)
	}
	for i, name := range numbered("client", c.Clients) {
		services[name] = c.clientService(name, c.Datasets[i%len(c.Datasets)])
		volumes["answers"] = nil
	}
	secrets := object{}
	for _, name := range []string{secretSettings, secretTokens, secretGossip, secretBroker, secretCookie} {
		secrets[name] = object{"file": "./" + path.Join(SecretsDir, name)}
	}
	return document(composeComment, object{
		"services": services, "volumes": volumes, "secrets": secrets,
		"networks": object{innerNetwork: object{"internal": true}, "outside": object{}},
	})
}

const innerNetwork = "inside"

// inner is the name of a service on the inner network alone. Its own name is that of an
// address on any network that it has, and what a gateway serves on the outer one nobody
// inside can reach.
func inner(service string) string { return service + "." + innerNetwork }

func innerName(service string) object { return object{"aliases": []string{inner(service)}} }

const composeComment = `# A cluster of analyzer, written by "analyzer compose"; edit the command, not this file.
# The secrets that it names are files in ./` + SecretsDir + `, which "analyzer compose --output DIR"
# makes. Clients read ./data/DATASET and leave answers in the volume "answers".
`

func inContainer(secret string) string { return "/run/secrets/" + secret }

// process is what all processes of ours have in common, with what only this one has.
func (c *Cluster) process(name string, command []string, own object) object {
	s := object{
		"image":   c.Image,
		"command": command,
		"user":    fmt.Sprintf("%d:%d", nobody, nobody),
		"labels":  c.labelled(name),
		"restart": "no",

		"read_only":    true,
		"tmpfs":        []string{"/tmp"},
		"cap_drop":     []string{"ALL"},
		"security_opt": []string{"no-new-privileges:true"},
		"networks":     object{innerNetwork: innerName(name)},

		"mem_limit":         mebibytes(c.Memory+beside, "m"),
		"stop_grace_period": grace,
		"logging":           object{"driver": "json-file", "options": object{"max-size": "10m", "max-file": "3"}},
	}
	maps.Copy(s, own)
	return s
}

// member is a process that serves, and gossips with all others. It sees the secrets
// that it needs.
func (c *Cluster) member(name string, command, secrets []string, own object) object {
	page := fmt.Sprintf("%s:%d", inner(name), monitorPort)
	command = append(command, "--http", page)
	if slices.Contains(secrets, secretSettings) {
		command = append(command, "--config", inContainer(secretSettings))
	}
	if c.Supervisors > 0 {
		var join []string
		for _, s := range numbered("supervisor", c.Supervisors) {
			join = append(join, fmt.Sprintf("%s:%d", inner(s), gossipPort))
		}
		command = append(command, "--name", name, "--join", strings.Join(join, ","),
			"--gossip", fmt.Sprintf("%s:%d", inner(name), gossipPort), "--gossip-key", inContainer(secretGossip))
		secrets = append(secrets, secretGossip)
	}
	s := c.process(name, command, object{
		"secrets": secrets, "restart": c.restart(), "healthcheck": health("10s", "/analyzer", "health", page),
	})
	maps.Copy(s, own)
	return s
}

func (c *Cluster) labelled(name string) object {
	return object{supervisor.LabelCluster: c.Name, supervisor.LabelNode: name}
}

// supervisorService may call Docker, and nobody else may. That is as much as being
// root on the host, for which nothing else may get in: it serves on the inner network
// alone, and what it serves there only tells.
func (c *Cluster) supervisorService(name string, rank int) object {
	command := []string{
		"supervisor", "--cluster", c.Name, "--rank", strconv.Itoa(rank), "--driver", "docker",
		"--topology", "/etc/analyzer/" + TopologyFile, "--log-format", "json",
	}
	return c.member(name, command, nil, object{
		"group_add": []string{fmt.Sprintf("${DOCKER_GROUP:-%d}", c.DockerGroup)},
		"mem_limit": mebibytes(beside, "m"),
		"volumes": []string{
			supervisor.DockerSocket + ":" + supervisor.DockerSocket,
			"./" + TopologyFile + ":/etc/analyzer/" + TopologyFile + ":ro",
		},
	})
}

// Topology writes what supervisors are to keep alive: all but clients.
func Topology(c Cluster) ([]byte, error) {
	t := supervisor.Topology{Cluster: c.Name}
	add := func(role membership.Role, n int) {
		for _, name := range numbered(string(role), n) {
			node := supervisor.Node{Name: name, Role: role}
			if role != membership.Broker { // of which supervisors only know whether it runs
				node.HTTP = fmt.Sprintf("%s:%d", inner(name), monitorPort)
			}
			t.Nodes = append(t.Nodes, node)
		}
	}
	add(membership.Broker, c.Brokers)
	add(membership.Worker, c.Workers)
	add(membership.Gateway, c.Gateways)
	add(membership.Supervisor, c.Supervisors)
	if err := t.Validate(); err != nil {
		return nil, err
	}
	return json.MarshalIndent(t, "", "  ")
}

// restart is the policy for a process that ended: none where supervisors look after
// it, so that only one starts it again.
func (c *Cluster) restart() string {
	if c.Supervisors > 0 {
		return "no"
	}
	return "unless-stopped"
}

// clientService submits a data set once and ends.
func (c *Cluster) clientService(name, dataset string) object {
	var gateways []string
	for _, g := range numbered("gateway", c.Gateways) {
		gateways = append(gateways, fmt.Sprintf("%s:%d", g, listenPort))
	}
	command := []string{
		"submit", dataset, "/data/" + dataset, "--gateway", strings.Join(gateways, ","), "--patience", "10m",
		"--token-file", inContainer(secretTokens), "--output", path.Join("/answers", name),
	}
	return c.process(name, command, object{
		"volumes":    []string{"./data:/data:ro", "answers:/answers"},
		"secrets":    []string{secretTokens},
		"depends_on": numbered("gateway", c.Gateways),
	})
}

// brokerService is a RabbitMQ node. All answer to the name "broker", which is tried
// address by address, so that one of them may be away.
func (c *Cluster) brokerService(i int) object {
	name := fmt.Sprintf("broker-%d", i)
	cookie := "install -m 600 " + inContainer(secretCookie) + " /var/lib/rabbitmq/.erlang.cookie && exec rabbitmq-server"
	return object{
		"image": c.BrokerImage, "user": "rabbitmq", "hostname": name,
		"command": []string{"sh", "-c", cookie},
		"environment": object{
			"RABBITMQ_NODENAME": "rabbit@" + name, "RABBITMQ_CONFIG_FILE": inContainer(secretBroker),
		},
		"labels":            c.labelled(name),
		"restart":           c.restart(),
		"security_opt":      []string{"no-new-privileges:true"},
		"networks":          object{innerNetwork: object{"aliases": []string{"broker"}}},
		"volumes":           []string{name + ":/var/lib/rabbitmq"},
		"secrets":           []string{secretBroker, secretCookie},
		"mem_limit":         mebibytes(brokerMemory, "m"),
		"cpus":              brokerCPUs,
		"stop_grace_period": "60s",
		"healthcheck":       health("60s", "rabbitmq-diagnostics", "--quiet", "check_port_connectivity"),
	}
}

func health(start string, command ...string) object {
	return object{
		"test": append([]string{"CMD"}, command...), "start_period": start,
		"interval": "10s", "timeout": "10s", "retries": 3,
	}
}
