package deploy

import (
	"crypto/rand"
	"fmt"
	"maps"
	"strings"

	"analyzer/compose/cluster/membership"
)

// Names of secrets.
const (
	secretSettings = "analyzer.yaml" // where the broker is, with its password
	secretTokens   = "tokens"        // who may call the gateways
	secretGossip   = "gossip-key"
	secretBroker   = "broker.conf"
	secretCookie   = "erlang-cookie" // by which brokers know each other
)

func secretNames() []string {
	return []string{secretSettings, secretTokens, secretGossip, secretBroker, secretCookie}
}

// Secrets makes what the Compose file names, with passwords nobody knows: content
// by name of the file below SecretsDir. Those that are there already, before, stay as
// they are, since a broker keeps the password that it was first started with; only the
// settings of the broker are made anew around theirs. An error says that there is none
// in them. Inside of containers secrets belong to the user of the host who made them,
// and are read by others; so others must be able to read the files, and nobody else to
// enter the directory.
func (c *Cluster) Secrets(before map[string]string) (map[string]string, error) {
	password := rand.Text()
	if there, ok := before[secretBroker]; ok {
		if password = passwordIn(there); password == "" {
			return nil, fmt.Errorf("%s: there is no line %sPASSWORD", secretBroker, passwordKey)
		}
	}
	secrets := map[string]string{
		secretSettings: fmt.Sprintf("broker: amqp://analyzer:%s@broker:%d\n", password, brokerPort),
		secretTokens:   "client " + rand.Text() + "\n",
		secretGossip:   rand.Text() + "\n",
		secretCookie:   rand.Text(),
	}
	maps.Copy(secrets, before)
	secrets[secretBroker] = c.brokerSettings(password)
	return secrets, nil
}

const passwordKey = "default_pass = "

// passwordIn returns the password in the settings of a broker; "": there is none.
func passwordIn(settings string) string {
	for line := range strings.Lines(settings) {
		if password, ok := strings.CutPrefix(line, passwordKey); ok {
			return strings.TrimSpace(password)
		}
	}
	return ""
}

// brokerSettings is a rabbitmq.conf: https://www.rabbitmq.com/docs/configure.
func (c *Cluster) brokerSettings(password string) string {
	lines := []string{
		"default_user = analyzer", passwordKey + password,
		fmt.Sprintf("listeners.tcp.default = %d", brokerPort),
		fmt.Sprintf("vm_memory_high_watermark.absolute = %d", brokerMemory*6/10),
		"disk_free_limit.absolute = 1GB",
		"log.console = true", "log.file = false",
	}
	if c.Brokers > 1 {
		lines = append(lines, "cluster_partition_handling = pause_minority",
			"cluster_formation.peer_discovery_backend = rabbit_peer_discovery_classic_config")
		for i, n := range (node{Cluster: *c}).Each(membership.Broker) {
			lines = append(lines, fmt.Sprintf("cluster_formation.classic_config.nodes.%d = rabbit@%s", i+1, n.Node()))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
