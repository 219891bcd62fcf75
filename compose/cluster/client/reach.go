package client

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials"
)

// firstPatience is the default patience with a cluster that this client has never reached:
// most likely its address is wrong.
const firstPatience = 3 * time.Second

// trouble keeps the error of the last attempt to connect to a gateway; gRPC passes it on as
// text only.
type trouble struct{ last atomic.Pointer[error] }

func (t *trouble) note(err error) {
	if err == nil {
		t.last.Store(nil)
		return
	}
	t.last.Store(&err)
}

// dial connects to an address, without a proxy.
func (t *trouble) dial(ctx context.Context, addr string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", addr)
	t.note(err)
	return conn, err
}

// noting wraps credentials and notes the errors of their handshakes.
type noting struct {
	credentials.TransportCredentials
	*trouble
}

func (n noting) ClientHandshake(ctx context.Context, authority string, conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, info, err := n.TransportCredentials.ClientHandshake(ctx, authority, conn)
	n.note(err)
	return conn, info, err
}

func (n noting) Clone() credentials.TransportCredentials {
	return noting{n.TransportCredentials.Clone(), n.trouble}
}

// connected reports whether the connection to the gateway is up.
func (g *gateway) connected() bool { return g.conn.GetState() == connectivity.Ready }

// unreached is the error of a call whose gateway is not connected. met says that some gateway
// was reached before. forEver is true if retrying cannot help.
func (g *gateway) unreached(op string, err error, met bool) (refused *Error, forEver bool) {
	text := "what listens there does not answer as a gateway does; perhaps it encrypts"
	if met {
		text = "the connection was lost"
	}
	if last := g.trouble.last.Load(); last != nil {
		text, forEver = sentence(*last)
	}
	return &Error{Op: op, Text: fmt.Sprintf("gateway %s: %s", g.addr, text), err: err}, forEver
}

// sentence puts a connection error into words.
func sentence(err error) (text string, forEver bool) {
	var name *net.DNSError
	var record tls.RecordHeaderError
	var verification *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	switch {
	case errors.As(err, &name) && name.IsNotFound:
		return fmt.Sprintf("there is no host %q", name.Name), false
	case errors.Is(err, syscall.ECONNREFUSED):
		return "nobody listens there", false
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "it does not answer", false
	case errors.As(err, &record):
		return "what listens there does not encrypt", true
	case errors.As(err, &unknown):
		return "its certificate is of an authority that is not trusted", true
	case errors.As(err, &verification):
		return "its certificate is wrong: " + verification.Err.Error(), true
	}
	return err.Error(), false
}
