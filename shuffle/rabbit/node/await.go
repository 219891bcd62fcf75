package node

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"analyzer/process"
)

// await waits until the server takes connections. The server opens its port last.
func (n *Node) await(ctx context.Context, server *process.Process) error {
	ctx, cancel := context.WithTimeoutCause(ctx, patience, fmt.Errorf("not up after %v", patience))
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		if n.greets(ctx) {
			return nil
		}
		select {
		case <-server.Done():
			return n.failed(fmt.Errorf("the server ended: %w", server.Err()))
		case <-ctx.Done():
			return n.failed(context.Cause(ctx))
		case <-tick.C:
		}
	}
}

// tail is how many lines of the log an error quotes.
const tail = 20

// failed adds the server's output to an error.
func (n *Node) failed(err error) error {
	return errors.Join(err, errors.New(process.Tail(n.path("log/start.log"), tail)), errors.New(process.Tail(n.LogFile(), tail)))
}

// greets reports whether the server answers the protocol header of AMQP 0-9-1 with a
// method frame (type 1), as it does to start a connection.
func (n *Node) greets(ctx context.Context) bool {
	const patience = 5 * time.Second
	d := net.Dialer{Timeout: patience}
	c, err := d.DialContext(ctx, "tcp", process.Address(n.ports.Clients))
	if err != nil {
		return false
	}
	hangUp := func() { _ = c.Close() }
	defer hangUp()
	stop := context.AfterFunc(ctx, hangUp)
	defer stop()
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		return false
	}
	if _, err := io.WriteString(c, "AMQP\x00\x00\x09\x01"); err != nil {
		return false
	}
	var frame [1]byte
	_, err = io.ReadFull(c, frame[:])
	return err == nil && frame[0] == 1
}
