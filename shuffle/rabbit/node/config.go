package node

import (
	"errors"
	"fmt"
	"time"
)

// Config says how to run a node. The zero Config is one for tests.
type Config struct {
	// Dir holds everything of the node and is kept by Stop: a node started on
	// it again has its queues and messages. Empty means a temporary directory
	// that Stop removes.
	Dir string
	// Scratch says that nobody will start a node on Dir again: Stop does not wait for
	// what it has not written.
	Scratch bool
	// Ports are where to listen. Zeros mean ports that are free when the node is opened:
	// who plans other processes beside it chooses all ports at once, and names these.
	Ports Ports
	// Memory is the number of bytes above which the node takes no more
	// messages. Zero means 1 GiB.
	Memory int64
	// FreeDisk is the number of free bytes on its disk below which the node
	// takes no more messages. Zero means 50 MB.
	FreeDisk int64
	// Join is a node that runs and with which, and those that have joined it, this one
	// is to be one broker. It must live as long as this one.
	Join *Node
	// Patience is how long the node may take to start. Zero means 90 seconds.
	Patience time.Duration
}

// Ports are those of a node on the loopback interface: for AMQP, for other nodes of the
// broker, and of the Erlang port mapper, by which nodes find each other.
type Ports struct{ Clients, Nodes, Mapper int }

func (c Config) withDefaults() Config {
	if c.Memory == 0 {
		c.Memory = 1 << 30
	}
	if c.FreeDisk == 0 {
		c.FreeDisk = 50_000_000
	}
	if c.Patience == 0 {
		c.Patience = 90 * time.Second
	}
	return c
}

// Validate reports all that is wrong with a configuration.
func (c Config) Validate() error {
	var errs []error
	for _, port := range []int{c.Ports.Clients, c.Ports.Nodes, c.Ports.Mapper} {
		if port < 0 || port > 65535 {
			errs = append(errs, fmt.Errorf("port %d: want 0 to 65535", port))
		}
	}
	if c.Memory < 0 {
		errs = append(errs, fmt.Errorf("memory limit of %d bytes: want at least 0", c.Memory))
	}
	if c.FreeDisk < 0 {
		errs = append(errs, fmt.Errorf("limit of %d free bytes: want at least 0", c.FreeDisk))
	}
	if c.Patience < 0 {
		errs = append(errs, fmt.Errorf("patience of %v: want at least 0", c.Patience))
	}
	return errors.Join(errs...)
}
