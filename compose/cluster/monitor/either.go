package monitor

import (
	"bytes"
	"context"
	"crypto/tls"
	"io"
	"net"
	"sync"
	"time"
)

// either is a listener whose connections may be encrypted or not, as each client chooses:
// nodes ask each other without encryption, and people show their tokens with it.
type either struct {
	net.Listener
	secure *tls.Config
	conns  chan net.Conn
	err    error // why Accept fails; valid once conns is closed
	ctx    context.Context
	cancel context.CancelFunc
}

// handshake is the first byte from a client that encrypts (RFC 8446, section 5.1).
const handshake = 22

func newEither(l net.Listener, secure *tls.Config) *either {
	secure = secure.Clone()
	secure.NextProtos = []string{"http/1.1"}
	e := &either{Listener: l, secure: secure, conns: make(chan net.Conn)}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	go e.run()
	return e
}

// run reads the first byte of each connection. Connections that send none do not hold up the
// others.
func (e *either) run() {
	var wait sync.WaitGroup
	for {
		conn, err := e.Listener.Accept()
		if err != nil {
			e.err = err
			break
		}
		wait.Go(func() { e.begin(conn) })
	}
	wait.Wait()
	close(e.conns)
}

func (e *either) begin(conn net.Conn) {
	hangUp := func() { _ = conn.Close() } // nothing was said
	defer context.AfterFunc(e.ctx, hangUp)()
	first := make([]byte, 1)
	err := conn.SetReadDeadline(time.Now().Add(patience))
	if err == nil {
		_, err = conn.Read(first)
	}
	if err != nil {
		hangUp()
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	var begun net.Conn = &begunConn{conn, io.MultiReader(bytes.NewReader(first), conn)}
	if first[0] == handshake {
		begun = tls.Server(begun, e.secure)
	}
	select {
	case e.conns <- begun:
	case <-e.ctx.Done():
		hangUp()
	}
}

// Accept waits for a connection that has sent its first byte.
func (e *either) Accept() (net.Conn, error) {
	conn, ok := <-e.conns
	if !ok {
		return nil, e.err
	}
	return conn, nil
}

// Close ends the listener, and the connections that have sent nothing.
func (e *either) Close() error {
	e.cancel()
	return e.Listener.Close()
}

// begunConn is a connection whose first byte has been read.
type begunConn struct {
	net.Conn
	all io.Reader // the first byte and what follows it
}

func (c *begunConn) Read(p []byte) (int, error) { return c.all.Read(p) }
