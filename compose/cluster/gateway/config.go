package gateway

import (
	"cmp"
	"crypto/tls"
	"fmt"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/broker"
)

// Config configures a gateway. The zero value of a field in the second group means the
// default at the end of its comment.
type Config struct {
	Replicas int         // number of workers, from 0 on, that take part in new jobs
	Queues   broker.Kind // of jobs and of the workers' control queues
	Tokens   *Tokens     // nil: every client is protocol.Anyone, and only clients on this machine can connect
	TLS      *tls.Config // nil: none
	Reader   Reader      // of files below the sources of this gateway; nil: it has none

	Memory     int64 // bytes of batches between receipt and confirmation; 256 MiB
	MaxStreams int   // uploads at a time, each of which takes up to three times protocol.MaxMessage besides Memory; one for each MiB of Memory, up to 64
	// MaxDownloads is how many answers are sent at a time. Each takes up to two pages
	// and copies of them besides Memory; 16.
	MaxDownloads   int
	MaxConnections int                // at a time; see quota.Connections; 512
	MaxJobs        int                // that are remembered; 256
	Patience       time.Duration      // for a worker to answer before it counts as silent; 3 s
	Timeout        time.Duration      // of actions that need all workers, or the broker; 30 s
	Idle           time.Duration      // after which a silent upload is ended; 2 min
	Stall          time.Duration      // after which a client that does not read its answer, or send the rest of a batch, is cut off; 10 s
	Grace          time.Duration      // for batches in hand when the gateway stops; 10 s
	Drain          time.Duration      // before that, for clients that are connected when it is to stop; 0
	FS             vfs.FS             // for the spill of scan stages; that of the machine
	SpillDir       string             // directory for the spill; the system's
	Crash          func(point string) // called at each failpoint; see Points; does nothing
}

// withDefaults replaces zeros by defaults and checks the other values.
func (c Config) withDefaults() (Config, error) {
	if c.Replicas < 1 || c.Replicas > protocol.MaxReplicas {
		return c, fmt.Errorf("%d workers; 1 to %d are possible", c.Replicas, protocol.MaxReplicas)
	}
	c.Memory = cmp.Or(c.Memory, 256<<20)
	c.MaxStreams = cmp.Or(c.MaxStreams, min(64, max(1, int(c.Memory>>20))))
	c.MaxDownloads = cmp.Or(c.MaxDownloads, 16)
	c.MaxConnections = cmp.Or(c.MaxConnections, 512)
	c.MaxJobs = cmp.Or(c.MaxJobs, 256)
	c.Patience = cmp.Or(c.Patience, 3*time.Second)
	c.Timeout = cmp.Or(c.Timeout, 30*time.Second)
	c.Idle = cmp.Or(c.Idle, 2*time.Minute)
	c.Stall = cmp.Or(c.Stall, 10*time.Second)
	c.Grace = cmp.Or(c.Grace, 10*time.Second)
	if c.Memory < protocol.MaxMessage {
		return c, fmt.Errorf("memory of %d bytes; one message may have %d", c.Memory, protocol.MaxMessage)
	}
	if c.FS == nil {
		c.FS = vfs.Private()
	}
	if c.Crash == nil {
		c.Crash = func(string) {}
	}
	return c, nil
}

// The failpoints of a gateway. Between any two of them, what client, broker or gateway
// know of an upload changes.
const (
	PointOpened      = "gateway-opened"       // every worker takes part in a job; the client does not know yet
	PointAccept      = "gateway-accept"       // a batch was read; none of it was forwarded
	PointHalfForward = "gateway-half-forward" // some of its messages were handed to the broker, not all
	PointPreAck      = "gateway-pre-ack"      // all were confirmed; the client does not know yet
)

// The failpoints of a gateway that reads files.
const (
	PointListed  = "listed"         // the files for a client were found; it does not know yet
	PointLeased  = "leased"         // the files of a job are about to be read
	PointChanged = "source-changed" // a file of a job is another one than before; the job has not failed yet
)

// Points returns the points that every job passes.
func Points() []string { return []string{PointOpened, PointAccept, PointHalfForward, PointPreAck} }

// ReadingPoints returns those that jobs pass whose files gateways read.
func ReadingPoints() []string { return []string{PointListed, PointLeased, PointChanged} }
