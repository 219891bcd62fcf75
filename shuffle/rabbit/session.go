package rabbit

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// session is one connection, from its start to its end.
type session struct {
	conn  *amqp.Connection
	sock  *socket
	alarm atomic.Pointer[string] // the broker's reason for an alarm, during which it does not read; nil: none
	why   atomic.Pointer[error]  // why we ended it

	carriers carriers
	calls    chan struct{}      // holds one for each running withChannel
	unused   chan *amqp.Channel // of withChannel
}

// mostCalls bounds the channels of withChannel, since a connection has a limited number.
// Thousands of subscriptions may begin at once.
const mostCalls = 32

const (
	dialPatience  = 10 * time.Second
	closePatience = time.Second
)

// dial makes a connection. It closes the socket when that fails or the context
// ends, since the library does so in neither case.
func dial(ctx context.Context, cfg Config, role string) (*session, error) {
	s := &session{carriers: carriers{most: cfg.Channels}, calls: make(chan struct{}, mostCalls), unused: make(chan *amqp.Channel, mostCalls)}
	stop := func() bool { return true }
	properties := amqp.NewConnectionProperties()
	properties["connection_name"] = fmt.Sprintf("%s (%s)", cfg.Name, role)
	ac := amqp.Config{
		Heartbeat:  cfg.Heartbeat,
		Properties: properties,
		Dial: func(network, addr string) (net.Conn, error) {
			d := net.Dialer{Timeout: dialPatience}
			c, err := d.DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			s.sock = &socket{Conn: c}
			stop = context.AfterFunc(ctx, s.kill)
			return s.sock, c.SetDeadline(time.Now().Add(dialPatience)) // the library clears it
		},
	}
	conn, err := amqp.DialConfig(cfg.URL, ac)
	stop()
	if err != nil {
		if s.sock != nil {
			s.kill()
		}
		return nil, err
	}
	s.conn = conn
	s.sock.arm(2 * conn.Config.Heartbeat)
	return s, nil
}

// withChannel calls f with a channel that nobody else uses meanwhile. It waits for its turn,
// which comes at the latest when the connection ends; if the context ends before that, f is not
// called, so that whoever has given up is in nobody's way. Unless f fails, the channel is used again:
// to make one and to close it are two more answers to wait for.
func (s *session) withChannel(ctx context.Context, f func(*amqp.Channel) error) error {
	select {
	case s.calls <- struct{}{}:
		defer func() { <-s.calls }()
	case <-ctx.Done():
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	ch, err := s.channel()
	if err != nil {
		return err
	}
	if err := f(ch); err != nil {
		_ = ch.Close() // a failure means that it is closed
		return err
	}
	s.unused <- ch
	return nil
}

// channel returns a channel that is not used, or a new one.
func (s *session) channel() (*amqp.Channel, error) {
	select {
	case ch := <-s.unused:
		if !ch.IsClosed() {
			return ch, nil
		}
	default:
	}
	return s.conn.Channel()
}

// kill closes the socket without a handshake; all users of the connection get errors.
func (s *session) kill() { _ = s.sock.Close() }

// giveUp is kill with a reason.
func (s *session) giveUp(why error) {
	s.why.CompareAndSwap(nil, &why)
	s.kill()
}

// lost returns why the connection or a channel of it ended: our own reason, or
// what the library says.
func (s *session) lost(err *amqp.Error) error {
	if why := s.why.Load(); why != nil {
		return *why
	}
	if err == nil {
		return errors.New("connection closed")
	}
	return fmt.Errorf("connection lost: %w", err)
}

// close closes the connection in order if the broker answers in time. Earlier writes,
// such as acknowledgements, then arrive.
func (s *session) close() {
	if s.alarm.Load() != nil {
		s.kill() // the broker does not read
	}
	late := time.AfterFunc(closePatience, s.kill)
	defer late.Stop()
	_ = s.conn.Close() // a failure does not matter any more
}
