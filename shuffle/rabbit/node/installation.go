package node

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"sort"
)

// ErrNotInstalled means that this machine has no RabbitMQ server. Its text says
// how to get one.
var ErrNotInstalled = errors.New("no RabbitMQ server is installed; " +
	"on Debian and Ubuntu: apt-get install --no-install-recommends rabbitmq-server (or shuffle/rabbit/node/install.sh)")

// installation is where the programs of RabbitMQ and Erlang are.
type installation struct {
	sbin string // directory of rabbitmq-server and rabbitmqctl
	epmd string // program
}

// program returns the path of a program.
func (i installation) program(name string) string {
	if name == "epmd" {
		return i.epmd
	}
	return filepath.Join(i.sbin, name)
}

// Where packages and the generic archive put the server's own scripts. Those in
// /usr/sbin are wrappers that want to be root.
var sbinPatterns = []string{
	"/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin",
	"/usr/local/lib/rabbitmq/lib/rabbitmq_server-*/sbin",
	"/opt/rabbitmq/sbin",
	"/opt/rabbitmq_server-*/sbin",
}

var epmdPatterns = []string{
	"/usr/lib/erlang/erts-*/bin/epmd",
	"/usr/local/lib/erlang/erts-*/bin/epmd",
	"/opt/erlang/lib/erlang/erts-*/bin/epmd",
}

// find looks for the installation below root, which is "" except in tests.
func find(root string) (installation, error) {
	server := newest(root, sbinPatterns, "rabbitmq-server")
	if server == "" {
		return installation{}, ErrNotInstalled
	}
	epmd := newest(root, epmdPatterns, "")
	if epmd == "" {
		path, err := exec.LookPath("epmd")
		if err != nil {
			return installation{}, fmt.Errorf("find the Erlang port mapper: %w", err)
		}
		epmd = path
	}
	return installation{sbin: filepath.Dir(server), epmd: epmd}, nil
}

// newest returns the match with the last name, of the first pattern that has a match.
func newest(root string, patterns []string, file string) string {
	for _, p := range patterns {
		found, err := filepath.Glob(filepath.Join(root, p, file))
		if err == nil && len(found) > 0 {
			sort.Strings(found)
			return found[len(found)-1]
		}
	}
	return ""
}
