package node

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"analyzer/process"
)

const (
	user   = "analyzer"
	cookie = "home/.erlang.cookie" // secret that the nodes of one broker share
)

// prepare creates the directories and files of a node, and returns its password, which
// it creates once.
func (n *Node) prepare() error {
	for _, d := range []string{"home", "mnesia", "log"} {
		if err := os.MkdirAll(n.path(d), 0o700); err != nil {
			return err
		}
	}
	if err := n.prepareToJoin(); err != nil {
		return err
	}
	password, err := os.ReadFile(n.path("password"))
	if errors.Is(err, fs.ErrNotExist) {
		password = []byte(rand.Text())
		err = os.WriteFile(n.path("password"), password, 0o600)
	}
	if err != nil {
		return err
	}
	n.password = string(bytes.TrimSpace(password))
	files := map[string]string{
		"plugins":       "[].\n",
		"env.conf":      "",
		"rabbitmq.conf": n.settings(),
	}
	for name, text := range files {
		if err := os.WriteFile(n.path(name), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// prepareToJoin copies the secrets that the nodes of a broker share.
func (n *Node) prepareToJoin() error {
	if n.cfg.Join == nil {
		return nil
	}
	for _, name := range []string{"password", cookie} {
		text, err := os.ReadFile(n.cfg.Join.path(name))
		if err == nil {
			err = os.WriteFile(n.path(name), text, 0o600)
		}
		if err != nil {
			return fmt.Errorf("join another node: %w", err)
		}
	}
	return nil
}

// settings returns the text of the server's configuration file. The server creates the
// user in it when the node has no data yet. It does not log each connection, since it is
// probed by connections.
func (n *Node) settings() string {
	text := fmt.Sprintf(`vm_memory_high_watermark.absolute = %d
disk_free_limit.absolute = %d
default_user = %s
default_pass = %s
loopback_users.%s = true
collect_statistics = none
log.file.level = info
log.connection.level = warning
log.console = false
`, memory, freeDisk, user, n.password, user)
	if n.cfg.Join != nil {
		text += "cluster_formation.classic_config.nodes.1 = " + n.cfg.Join.Name() + "\n"
	}
	return text
}

// environ returns the environment of the server and of the tools that talk to it.
func (n *Node) environ() []string {
	return []string{
		"PATH=" + filepath.Dir(n.inst.epmd) + ":/usr/local/bin:/usr/bin:/bin",
		"LANG=C.UTF-8",
		"HOME=" + n.path("home"),
		"ERL_EPMD_PORT=" + strconv.Itoa(n.ports.Mapper),
		"ERL_EPMD_ADDRESS=" + process.Loopback,
		"RABBITMQ_NODENAME=" + n.name,
		"RABBITMQ_NODE_IP_ADDRESS=" + process.Loopback,
		"RABBITMQ_NODE_PORT=" + strconv.Itoa(n.ports.Clients),
		"RABBITMQ_DIST_PORT=" + strconv.Itoa(n.ports.Nodes),
		"RABBITMQ_MNESIA_BASE=" + n.path("mnesia"),
		"RABBITMQ_LOG_BASE=" + n.path("log"),
		"RABBITMQ_LOGS=" + n.LogFile(),
		"RABBITMQ_PID_FILE=" + n.path("pid"),
		"RABBITMQ_CONFIG_FILE=" + n.path("rabbitmq"),
		"RABBITMQ_CONF_ENV_FILE=" + n.path("env.conf"),
		"RABBITMQ_ENABLED_PLUGINS_FILE=" + n.path("plugins"),
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-kernel inet_dist_use_interface {127,0,0,1}",
		// Makes the start script become the server instead of watching it.
		"RUNNING_UNDER_SYSTEMD=true",
	}
}

func (n *Node) path(name string) string { return filepath.Join(n.dir, name) }

// LogFile returns the path of the server's log.
func (n *Node) LogFile() string { return n.path("log/server.log") }
