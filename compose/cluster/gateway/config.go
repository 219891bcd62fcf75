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

// Config is what is to be known of a gateway. The zero value of a field in the
// second group stands for what its comment says.
type Config struct {
	Replicas int         // of the workers, from 0 on, that take part in new jobs
	Queues   broker.Kind // of jobs and of the workers' control queues
	Tokens   *Tokens     // nil: every caller is protocol.Anyone, and only this machine may call
	TLS      *tls.Config // nil: none

	Memory     int64 // bytes of batches between receipt and confirmation; 256 MiB
	MaxStreams int   // uploads at a time, each with up to three times protocol.MaxMessage on top of Memory; one for each MiB of Memory, up to 64
	// MaxDownloads is how many answers are sent at a time, each with up to two pages,
	// of which there are copies, on top of Memory; 16.
	MaxDownloads   int
	MaxConnections int                // of clients at a time, others are closed at once; 512
	MaxJobs        int                // that are remembered; 256
	Patience       time.Duration      // for a worker to answer before it is called silent; 3 s
	Timeout        time.Duration      // of actions that need all workers, or the broker; 30 s
	Idle           time.Duration      // after which an upload that sends nothing is ended; 2 min
	Stall          time.Duration      // after which a client is cut off that does not read its answer, or send the rest of a batch; 10 s
	Grace          time.Duration      // for batches in hand when the gateway stops; 10 s
	FS             vfs.FS             // for what a scan stage spills; that of the machine
	SpillDir       string             // directory for it; the system's
	Crash          func(point string) // told of each point that is passed; see Points
}

// withDefaults fills what is zero and checks the rest.
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
		c.FS = vfs.OS()
	}
	if c.Crash == nil {
		c.Crash = func(string) {}
	}
	return c, nil
}

// The named points at which a test can end the process: the moments between which
// what client, broker and gateway know differ.
const (
	PointOpened      = "gateway-opened"       // every worker takes part in a job, the client was not told
	PointAccept      = "gateway-accept"       // a batch was read, nothing of it was forwarded
	PointHalfForward = "gateway-half-forward" // some of its messages were handed over, not all
	PointPreAck      = "gateway-pre-ack"      // all were confirmed, the client was not told
)

// Points returns all points.
func Points() []string { return []string{PointOpened, PointAccept, PointHalfForward, PointPreAck} }
