package gateway

import (
	"context"
	"net"
	"sync"

	"google.golang.org/grpc/peer"
)

// connections is a listener with a limit on open connections. It can also close the
// connection of a call: gRPC itself can only end a call, and keeps the call's unsent data
// until the client reads it.
type connections struct {
	net.Listener
	most int

	mu   sync.Mutex
	open map[string]net.Conn // by the client's address
}

func watch(l net.Listener, most int) *connections {
	return &connections{Listener: l, most: most, open: make(map[string]net.Conn)}
}

// Accept waits for a connection. It closes connections above the limit at once, so that
// their clients go to another gateway.
func (c *connections) Accept() (net.Conn, error) {
	for {
		conn, err := c.Listener.Accept()
		if err != nil {
			return nil, err
		}
		c.mu.Lock()
		room := len(c.open) < c.most
		if room {
			c.open[conn.RemoteAddr().String()] = conn
		}
		c.mu.Unlock()
		if room {
			return &watched{Conn: conn, of: c}, nil
		}
		_ = conn.Close() // nothing was written yet
	}
}

// cut closes the connection of a call, which ends all calls on it.
func (c *connections) cut(ctx context.Context) {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if conn := c.open[p.Addr.String()]; conn != nil {
		_ = conn.Close() // its calls get the error
	}
}

// watched is an open connection.
type watched struct {
	net.Conn
	of *connections
}

// Close ends the connection.
func (w *watched) Close() error {
	w.of.mu.Lock()
	defer w.of.mu.Unlock()
	if at := w.RemoteAddr().String(); w.of.open[at] == w.Conn {
		delete(w.of.open, at)
	}
	return w.Conn.Close()
}
