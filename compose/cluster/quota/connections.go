package quota

import (
	"context"
	"net"
	"sync"
	"time"

	"analyzer/compose/cluster/protocol"
)

// Connections is a listener that shares connections out among clients. A connection is a
// stranger's until Known says whose it is. Strangers have an eighth of the places, and
// little time; who needs a place takes one from the address with the most of them. So
// whoever only connects shuts nobody out. It may be used concurrently.
type Connections struct {
	net.Listener
	most, share, strange int
	patience             time.Duration

	mu   sync.Mutex
	open map[string]*connection // by the client's address
}

// connection is an open one.
type connection struct {
	net.Conn
	of    *Connections
	host  string
	owner string // "": a stranger
	since time.Time
	late  *time.Timer // ends a stranger's
}

// Share returns a listener with so many places. If apart is set, clients can be told apart,
// and one may take half of the places. A stranger has as much time as patience says.
func Share(l net.Listener, most int, apart bool, patience time.Duration) *Connections {
	c := &Connections{Listener: l, most: most, share: most, strange: max(1, most/8), patience: patience, open: make(map[string]*connection)}
	if apart {
		c.share = (most + 1) / 2
	}
	return c
}

// Accept waits for a connection. It closes those for which there is no place at once, so
// that their clients go to another gateway.
func (c *Connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if admitted := c.admit(conn); admitted != nil {
			return admitted, nil
		}
		_ = conn.Close() // nothing was written yet
	}
}

// admit finds a place for a new connection; nil if there is none.
func (c *Connections) admit(conn net.Conn) net.Conn {
	at := conn.RemoteAddr().String()
	x := &connection{Conn: conn, of: c, host: hostOf(at), since: time.Now()}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.open) >= c.most || len(c.strangersLocked()) >= c.strange {
		if !c.makeRoomLocked() {
			return nil
		}
	}
	c.open[at] = x
	x.late = time.AfterFunc(c.patience, x.endStranger)
	return x
}

func hostOf(at string) string {
	host, _, err := net.SplitHostPort(at)
	if err != nil {
		return at
	}
	return host
}

func (c *Connections) strangersLocked() (out []*connection) {
	for _, x := range c.open {
		if x.owner == "" {
			out = append(out, x)
		}
	}
	return out
}

// makeRoomLocked ends the oldest stranger of the address with the most of them.
func (c *Connections) makeRoomLocked() bool {
	strangers := c.strangersLocked()
	byHost := make(map[string]int)
	for _, x := range strangers {
		byHost[x.host]++
	}
	var worst *connection
	for _, x := range strangers {
		if worst == nil || byHost[x.host] > byHost[worst.host] || x.host == worst.host && x.since.Before(worst.since) {
			worst = x
		}
	}
	if worst != nil {
		worst.endLocked()
	}
	return worst != nil
}

// Known notes whose the connection from an address is, once its client has made a call. Of
// addresses that are not connected it notes nothing. Errors: protocol.Busy, if the client
// has as many connections as it may.
func (c *Connections) Known(at, owner string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	x := c.open[at]
	if x == nil || x.owner == owner {
		return nil
	}
	all, owned := len(c.open), 0
	for _, y := range c.open {
		if y.owner == owner {
			owned++
		}
	}
	if owned >= c.share {
		return protocol.Errorf(protocol.Busy, "%d connections are open here, %d of them of %s, who may have %d; close some, or go to another gateway", all, owned, owner, c.share)
	}
	x.owner = owner
	x.late.Stop()
	return nil
}

// Len returns how many connections are open.
func (c *Connections) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.open)
}

// drainLook is the time between two looks at whether clients have left.
const drainLook = 50 * time.Millisecond

// Drain closes the listener and waits until all connections have ended, or the context has. It
// returns how many are left.
func (c *Connections) Drain(ctx context.Context) int {
	_ = c.Listener.Close() // which Accept tells
	look := time.NewTicker(drainLook)
	defer look.Stop()
	for {
		n := c.Len()
		if n == 0 {
			return 0
		}
		select {
		case <-look.C:
		case <-ctx.Done():
			return n
		}
	}
}

// Cut closes the connection from an address, which ends all calls on it.
func (c *Connections) Cut(at string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if x := c.open[at]; x != nil {
		_ = x.Conn.Close() // its calls get the error
	}
}

// endStranger ends a connection whose client has not made a call in time.
func (x *connection) endStranger() {
	x.of.mu.Lock()
	defer x.of.mu.Unlock()
	if x.owner == "" {
		x.endLocked()
	}
}

func (x *connection) endLocked() {
	x.late.Stop()
	if at := x.RemoteAddr().String(); x.of.open[at] == x {
		delete(x.of.open, at)
	}
	_ = x.Conn.Close() // whoever reads from it gets the error
}

// Close ends the connection.
func (x *connection) Close() error {
	x.of.mu.Lock()
	defer x.of.mu.Unlock()
	x.late.Stop()
	if at := x.RemoteAddr().String(); x.of.open[at] == x {
		delete(x.of.open, at)
	}
	return x.Conn.Close()
}
