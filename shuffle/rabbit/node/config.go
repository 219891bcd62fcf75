package node

import "time"

// Config says how to run a node. The zero Config is one for tests.
type Config struct {
	// Dir holds all files of the node. Stop keeps it: a node started on it again
	// has its queues and messages. Empty means a temporary directory, which Stop
	// removes.
	Dir string
	// Scratch says that nobody will start a node on Dir again: Stop kills the server
	// instead of letting it write its data.
	Scratch bool
	// Ports are where to listen. Zeros mean ports that nobody else has.
	Ports Ports
	// Join is a running node. This node joins it, and the nodes that have joined it, to
	// form one broker. It must live as long as this one.
	Join *Node
}

// Ports are a node's ports on the loopback interface: for AMQP, for other nodes of the
// broker, and for the Erlang port mapper, by which nodes find each other.
type Ports struct{ Clients, Nodes, Mapper int }

const (
	memory   = 1 << 30         // bytes in use above which a node takes no messages
	freeDisk = 50_000_000      // bytes free on its disk below which it takes no messages
	patience = 3 * time.Minute // for it to start
)
