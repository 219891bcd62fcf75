package node

import "time"

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
	// Join is a node that runs and with which, and those that have joined it, this one
	// is to be one broker. It must live as long as this one.
	Join *Node
}

// Ports are those of a node on the loopback interface: for AMQP, for other nodes of the
// broker, and of the Erlang port mapper, by which nodes find each other.
type Ports struct{ Clients, Nodes, Mapper int }

const (
	memory   = 1 << 30          // bytes above which a node takes no more messages
	freeDisk = 50_000_000       // bytes on its disk below which it takes no more messages
	patience = 90 * time.Second // for it to start
)
