package deploy

import (
	"crypto/rand"
	"fmt"
	"strings"
)

// Secrets makes what the Compose file names, with passwords nobody knows: content
// by name of the file below SecretsDir. Inside of containers they belong to the user
// of the host who made them, and are read by others; so others must be able to read
// the files, and nobody else to enter the directory.
func (c *Cluster) Secrets() map[string]string {
	password := rand.Text()
	return map[string]string{
		secretSettings: fmt.Sprintf("broker: amqp://analyzer:%s@broker:%d\n", password, brokerPort),
		secretTokens:   "client " + rand.Text() + "\n",
		secretGossip:   rand.Text() + "\n",
		secretCookie:   rand.Text(),
		secretBroker:   c.brokerSettings(password),
	}
}

// brokerSettings is a rabbitmq.conf: https://www.rabbitmq.com/docs/configure.
func (c *Cluster) brokerSettings(password string) string {
	lines := []string{
		"default_user = analyzer", "default_pass = " + password,
		fmt.Sprintf("listeners.tcp.default = %d", brokerPort),
		fmt.Sprintf("vm_memory_high_watermark.absolute = %d", brokerMemory*6/10),
		"disk_free_limit.absolute = 1GB",
		"log.console = true", "log.file = false",
	}
	if c.Brokers > 1 {
		lines = append(lines, "cluster_partition_handling = pause_minority",
			"cluster_formation.peer_discovery_backend = rabbit_peer_discovery_classic_config")
		for i, name := range numbered("broker", c.Brokers) {
			lines = append(lines, fmt.Sprintf("cluster_formation.classic_config.nodes.%d = rabbit@%s", i+1, name))
		}
	}
	return strings.Join(lines, "\n") + "\n"
}
