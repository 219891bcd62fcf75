package rabbit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/process"
	"analyzer/shuffle/broker"
)

// link is a connection that reconnects whenever it is lost.
type link struct {
	cfg     Config
	role    string               // what it is for, in logs
	prepare func(*session) error // called with each new connection before others see it
	log     *slog.Logger

	mu      sync.Mutex
	current *session      // nil while there is none
	trouble error         // why there is no connection
	moved   chan struct{} // closed and replaced when current changes
}

func newLink(cfg Config, role string, prepare func(*session) error) *link {
	return &link{
		cfg: cfg, role: role, prepare: prepare, moved: make(chan struct{}),
		log: cfg.Log.With("broker", Address(cfg.URL), "connection", role),
	}
}

// run keeps a connection up until the context ends.
func (l *link) run(ctx context.Context) {
	pauses := newBackoff()
	for ctx.Err() == nil {
		s, err := l.connect(ctx)
		if err != nil {
			l.show(nil, err)
			if ctx.Err() == nil {
				l.log.Warn("cannot reach the broker", "error", err)
			}
			pauses.Wait(ctx)
			continue
		}
		start := time.Now()
		l.hold(ctx, s)
		pauses.Lasted(time.Since(start))
		pauses.Wait(ctx)
	}
	l.show(nil, broker.ErrClosed)
}

func (l *link) connect(ctx context.Context) (*session, error) {
	s, err := dial(ctx, l.cfg, l.role)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, s.kill)
	defer stop()
	if err := l.prepare(s); err != nil {
		s.kill()
		return nil, err
	}
	return s, nil
}

// hold offers a connection to others until it has ended.
func (l *link) hold(ctx context.Context, s *session) {
	ended := s.conn.NotifyClose(make(chan *amqp.Error, 1))
	l.cfg.Counters.Connects.Add(1)
	l.log.Info("connected to the broker")
	l.show(s, nil)
	why := broker.ErrClosed
	select {
	case err := <-ended:
		why = s.lost(err)
	case <-ctx.Done():
		s.close()
	}
	l.show(nil, why)
	if ctx.Err() == nil {
		l.cfg.Counters.Disconnects.Add(1)
		l.log.Warn("lost the broker", "error", why)
	}
}

func (l *link) show(s *session, trouble error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current, l.trouble = s, trouble
	close(l.moved)
	l.moved = make(chan struct{})
}

// look returns the connection, or nil and the reason why there is none. The channel is
// closed when either changes.
func (l *link) look() (*session, <-chan struct{}, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current, l.moved, l.trouble
}

// wait returns the connection, once there is one.
func (l *link) wait(ctx context.Context) (*session, error) {
	for {
		s, moved, trouble := l.look()
		switch {
		case errors.Is(trouble, broker.ErrClosed):
			return nil, trouble
		case ctx.Err() != nil:
			return nil, l.explain(ctx)
		case s != nil:
			return s, nil
		}
		select {
		case <-moved:
		case <-ctx.Done():
			return nil, l.explain(ctx)
		}
	}
}

// explain returns the error of a context that has ended, together with why the broker
// cannot be reached.
func (l *link) explain(ctx context.Context) error {
	if _, _, trouble := l.look(); trouble != nil {
		return fmt.Errorf("%s: %w: %w", Address(l.cfg.URL), context.Cause(ctx), trouble)
	}
	return context.Cause(ctx)
}

// newBackoff returns the pauses between attempts.
func newBackoff() process.Backoff { return process.Backoff{Most: 3 * time.Second, Apart: true} }
