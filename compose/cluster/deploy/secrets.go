package deploy

import (
	"crypto/rand"
	"fmt"
	"maps"
	"strings"

	"analyzer/compose/cluster/membership"
)

// File names of secrets.
const (
	secretSettings = "analyzer.yaml" // where the broker is, with its password
	secretTokens   = "tokens"        // who may call the gateways
	secretGossip   = "gossip-key"
	secretBroker   = "broker.conf"
	secretCookie   = "erlang-cookie" // by which brokers authenticate each other
	secretCert     = "tls.crt"
	secretKey      = "tls.key"
)

// SecretNames returns the names of all secrets.
func (c Cluster) SecretNames() []string {
	names := []string{secretSettings, secretTokens, secretGossip, secretBroker, secretCookie}
	if c.TLS {
		names = append(names, secretCert, secretKey)
	}
	return names
}

// Secrets makes the secrets that the Compose file names, with random passwords: content by
// file name below secretsDir. Secrets that exist already, before, stay as they are, since a
// broker keeps the password that it was first started with; only the broker's settings are
// written anew, around the old password, and the certificate is the given one. It is an error if they contain none. Inside
// containers, secrets belong to the host user who made them, and are read by other users. So
// others must be able to read the files, but nobody else may enter the directory.
func (c *Cluster) Secrets(before map[string]string) (map[string]string, error) {
	password := rand.Text()
	if there, ok := before[secretBroker]; ok {
		if password = passwordIn(there); password == "" {
			return nil, fmt.Errorf("%s: there is no line %sPASSWORD", secretBroker, passwordKey)
		}
	}
	secrets := map[string]string{
		secretTokens: "client " + rand.Text() + "\n",
		secretGossip: rand.Text() + "\n",
	}
	if c.Brokers > 0 {
		secrets[secretSettings] = fmt.Sprintf("broker: amqp://analyzer:%s@broker:%d\n", password, brokerPort)
		secrets[secretCookie] = rand.Text()
	}
	maps.Copy(secrets, before)
	if c.Brokers > 0 {
		secrets[secretBroker] = c.brokerSettings(password)
	}
	if c.TLS {
		secrets[secretCert], secrets[secretKey] = c.Certificate, c.Key
	}
	return secrets, nil
}

const passwordKey = "default_pass = "

// passwordIn returns the password in a broker's settings; "": there is none.
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
		"log.console = true", "log.file = false", "log.connection.level = warning", // each probe is a connection
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
