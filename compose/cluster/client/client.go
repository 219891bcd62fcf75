package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	"analyzer/compose/cluster/protocol"
	"analyzer/process"
)

// Config says how to reach a cluster.
type Config struct {
	Gateways []string    // host:port of each; all serve the same cluster
	Token    string      // shown with every call; "": none
	TLS      *tls.Config // nil: connections are not encrypted
	// Patience is how long calls are retried without any success. 0 is DefaultPatience, or a
	// few seconds while no gateway has ever been reached. Only an upload waits for longer, while
	// the broker takes nothing or other clients take all places.
	Patience time.Duration
	// Notice is told, in words for people, of trouble that may pass. It may be nil, and is
	// called from any goroutine.
	Notice func(text string)
	// Options are added to the options of every connection; for tests.
	Options []grpc.DialOption
}

// DefaultPatience is long enough for a dead process to be restarted.
const DefaultPatience = 2 * time.Minute

// Client talks to the gateways of one cluster. It may be used concurrently.
type Client struct {
	cfg      Config
	gateways []*gateway
	turn     atomic.Uint32 // counts attempts; the next gateway is this modulo their number
	met      atomic.Bool   // whether a gateway was ever reached
	// room is how a call that the gateways are too busy for asks for room. An idle upload,
	// which takes up room although it has nothing to send, ends its call and then closes the
	// channel it was sent. Without this, an upload with something to send could wait for the
	// idle one while the owner of the idle one waits for the upload.
	room    chan chan struct{}
	reading sync.Mutex // for gateway.reads
}

// gateway is the connection to one gateway.
type gateway struct {
	addr    string
	conn    *grpc.ClientConn
	flight  flight.FlightServiceClient
	trouble trouble
	reads   int // calls of this client for which it reads files
}

// New returns a client. It connects on first use. The caller calls Close.
func New(cfg Config) (*Client, error) {
	if len(cfg.Gateways) == 0 {
		return nil, errors.New("no gateway is named")
	}
	if cfg.Notice == nil {
		cfg.Notice = func(string) {}
	}
	c := &Client{cfg: cfg, room: make(chan chan struct{})}
	for _, addr := range cfg.Gateways {
		g := &gateway{addr: addr}
		// Only the system's resolver looks up names.
		conn, err := grpc.NewClient("passthrough:///"+addr, cfg.options(&g.trouble)...)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("gateway %s: %w", addr, err), c.Close())
		}
		g.conn, g.flight = conn, flight.NewFlightServiceClient(conn)
		c.gateways = append(c.gateways, g)
	}
	return c, nil
}

func (cfg Config) options(t *trouble) []grpc.DialOption {
	secure := insecure.NewCredentials()
	if cfg.TLS != nil {
		secure = credentials.NewTLS(cfg.TLS)
	}
	return append([]grpc.DialOption{
		grpc.WithTransportCredentials(noting{secure, t}),
		grpc.WithContextDialer(t.dial),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(newCodec()), grpc.MaxCallRecvMsgSize(protocol.MaxPage), grpc.MaxCallSendMsgSize(protocol.MaxMessage)),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: firstPause, Multiplier: 1.6, Jitter: 0.2, MaxDelay: lastPause},
			MinConnectTimeout: 4 * time.Second,
		}),
		// Keepalives detect a gateway that hangs and a dead connection.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 10 * time.Second}),
	}, cfg.Options...)
}

// Close ends all connections. No call may be running.
func (c *Client) Close() error {
	var errs []error
	for _, g := range c.gateways {
		errs = append(errs, g.conn.Close())
	}
	return errors.Join(errs...)
}

// next returns the gateway whose turn it is.
func (c *Client) next() *gateway {
	return c.gateways[(c.turn.Add(1)-1)%uint32(len(c.gateways))]
}

// Pauses between attempts, once every gateway has had its turn.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 2 * time.Second
)

// again calls f with one gateway after the other until f succeeds, fails for good, or has not
// got anywhere for the client's patience. If uploading is set, patience does not run out while
// a gateway is busy. f reports whether it got anywhere (moved).
func (c *Client) again(ctx context.Context, op string, uploading bool, f func(g *gateway) (moved bool, err error)) error {
	return c.againBy(ctx, op, uploading, c.next, f)
}

// againBy is again with the gateways that next returns.
func (c *Client) againBy(ctx context.Context, op string, uploading bool, next func() *gateway, f func(g *gateway) (moved bool, err error)) error {
	since, pause, told := time.Now(), firstPause, false
	for attempt := 1; ; attempt++ {
		g := next()
		moved, err := f(g)
		if err == nil {
			c.met.Store(true)
			if told {
				c.cfg.Notice(fmt.Sprintf("%s: gateway %s goes on", op, g.addr))
			}
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		refused := refusal(op, g.addr, err)
		if !passing(ctx, err) {
			return refused
		}
		given := ErrCutOff
		if g.connected() {
			given = ErrStuck
			c.met.Store(true)
		} else {
			unreached, forEver := g.unreached(op, err, c.met.Load())
			if refused = unreached; forEver {
				return fmt.Errorf("%w: %w", ErrCutOff, refused)
			}
		}
		if moved {
			since, pause, attempt, told = time.Now(), firstPause, 1, false
		}
		what := fmt.Sprintf("trying again for %v", c.patience())
		busy := protocol.CodeOf(err) == protocol.Busy
		if busy && uploading {
			since, what = time.Now(), "waiting"
		}
		if tried := time.Since(since); tried > c.patience() {
			return fmt.Errorf("%w for %v: %w", given, tried.Round(100*time.Millisecond), refused)
		}
		if attempt%len(c.gateways) != 0 {
			continue // try the next gateway at once
		}
		if !told && attempt > len(c.gateways) {
			told = true
			c.cfg.Notice(fmt.Sprintf("%v; %s", refused, what))
		}
		if busy {
			err = c.askForRoom(ctx, pause)
		} else {
			err = process.Sleep(ctx, pause)
		}
		if err != nil {
			return err
		}
		pause = min(2*pause, lastPause)
	}
}

// askForRoom waits until an idle upload of this client has made room, but no longer than d.
func (c *Client) askForRoom(ctx context.Context, d time.Duration) error {
	late, made := time.After(d), make(chan struct{})
	for ask := c.room; ; ask = nil { // ask only once
		select {
		case ask <- made:
		case <-made:
			return nil
		case <-late:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// patience is how long to retry without success.
func (c *Client) patience() time.Duration {
	switch {
	case c.cfg.Patience > 0:
		return c.cfg.Patience
	case c.met.Load():
		return DefaultPatience
	}
	return firstPatience
}
