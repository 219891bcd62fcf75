// Package gateway is the front door of a cluster: a Flight server that takes
// uploads, scatters their batches, and hands the messages to the broker for the
// workers. Package protocol defines what clients and gateways send each other;
// package scatter turns a batch into messages.
//
// A gateway keeps no state of its own. It acknowledges batch k to the client when the
// broker has confirmed all messages of k. If the gateway dies before that, the client
// sends k again, here or elsewhere, and receivers drop duplicates. What a gateway
// remembers of jobs is copied from the workers.
//
// A gateway trusts nothing that a client sends: it checks bytes before decoding them and
// numbers before using them. It bounds everything that it holds for clients: messages,
// streams, requests to workers, jobs, and the bytes of batches between receipt and the
// broker's confirmation. See Gateway.
//
// A stream has two goroutines. Its intake reads a batch, scatters it and hands the
// messages to the broker, one batch after the other. Its handler sends the answers
// and watches for timeouts and failures. One broker.Publisher for all streams retries
// unconfirmed messages.
package gateway

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/test/bufconn"

	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/quota"
	"analyzer/operators"
	"analyzer/operators/expr"
	"analyzer/shuffle/broker"
)

// Gateway serves clients. New makes it, for a single Run.
type Gateway struct {
	flight.BaseFlightServer

	cfg       Config
	broker    broker.Broker
	log       *slog.Logger
	metrics   *Metrics
	rt        *operators.Runtime
	caller    *caller
	jobs      *jobs
	publisher *broker.Publisher

	// Bounds on what is accepted.
	uploads    *quota.Quota
	downloads  *quota.Quota
	processors *semaphore.Weighted // one unit for each batch scattered at a time
	planning   *semaphore.Weighted // one unit for each request planned at a time
	credit     *credit

	// connections is set by Run.
	connections *quota.Connections
	door        *bufconn.Listener // for clients in this process

	draining atomic.Bool
	stop     chan struct{}  // closed when the gateway accepts nothing new
	intakes  sync.WaitGroup // running upload.intake goroutines
}

// New returns a gateway that is not running yet. The broker stays the caller's;
// metrics may be nil.
func New(cfg Config, b broker.Broker, log *slog.Logger, m *Metrics) (*Gateway, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, fmt.Errorf("gateway: %w", err)
	}
	if m == nil {
		m = new(Metrics)
	}
	g := &Gateway{
		cfg: cfg, broker: b, log: log, metrics: m,
		rt: &operators.Runtime{
			Budget:  budget.New(cfg.Memory / 4),
			Scratch: segment.NewScratch(cfg.FS, cfg.SpillDir),
			Env:     expr.NewEnv(),
		},
		uploads:    quota.New("uploads", cfg.MaxStreams, cfg.Tokens != nil, &m.Streams),
		downloads:  quota.New("downloads", cfg.MaxDownloads, cfg.Tokens != nil, &m.Downloads),
		processors: semaphore.NewWeighted(int64(runtime.GOMAXPROCS(0))),
		planning:   semaphore.NewWeighted(protocol.MaxPlanning),
		credit:     newCredit(cfg.Memory, &m.Held),
		door:       bufconn.Listen(streamWindow),
		stop:       make(chan struct{}),
	}
	g.caller = newCaller(b, cfg, log, m)
	g.jobs = newJobs(g.caller, cfg, log)
	g.publisher = newPublisher(b, g.credit, m, cfg.Crash)
	return g, nil
}

// Run serves clients on a listener, which it closes, until the context ends. Then it accepts no
// connections, and serves the clients that are connected until they leave, or Config.Drain is over.
// After that it accepts nothing new, finishes the batches in hand within Config.Grace, and
// returns nil. While the broker cannot be reached, it keeps waiting for it, and tells
// clients so.
//
// Errors: the address would need tokens, the listener failed, the queue for answers is
// gone.
func (g *Gateway) Run(ctx context.Context, lis net.Listener) error {
	if err := g.checkAddress(lis.Addr()); err != nil {
		return errors.Join(err, lis.Close())
	}
	g.connections = quota.Share(lis, g.cfg.MaxConnections, g.cfg.Tokens != nil, strangerPatience)
	server, own := g.newServer(g.cfg.TLS), g.newServer(nil)
	// The servers outlive ctx until the batches in hand are done.
	inner, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	group, gctx := errgroup.WithContext(inner)
	group.Go(func() error { return g.caller.run(gctx) })
	group.Go(func() error { g.publisher.Run(gctx); return nil })
	group.Go(func() error { return g.serve(server, g.connections) })
	group.Go(func() error { return g.serve(own, g.door) })
	group.Go(func() error {
		select {
		case <-ctx.Done():
		case <-gctx.Done():
		}
		g.drain(gctx)
		g.finish(server, own)
		cancel()
		return nil
	})
	return errors.Join(group.Wait(), g.close())
}

func (g *Gateway) serve(server *grpc.Server, lis net.Listener) error {
	if err := server.Serve(lis); err != nil && !errors.Is(err, grpc.ErrServerStopped) && !g.Draining() {
		return fmt.Errorf("serve on %s: %w", lis.Addr(), err)
	}
	return nil
}

// Dial connects a client in the same process. Like any other client it must show a token;
// the connection is not encrypted. Nothing answers before Run or after it.
func (g *Gateway) Dial(ctx context.Context) (net.Conn, error) { return g.door.DialContext(ctx) }

// drain accepts no new connections and waits up to Config.Drain until there are none.
func (g *Gateway) drain(ctx context.Context) {
	if g.cfg.Drain <= 0 || ctx.Err() != nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, g.cfg.Drain)
	defer cancel()
	g.draining.Store(true)
	g.log.Info("no new connections", "connected", g.connections.Len(), "patience", g.cfg.Drain)
	left := g.connections.Drain(ctx)
	g.log.Info("end of waiting for clients", "connected", left)
}

// Draining reports whether the gateway is to stop and serves only those who were connected before.
func (g *Gateway) Draining() bool { return g.draining.Load() }

// finish accepts no new calls and waits up to Config.Grace for running calls.
func (g *Gateway) finish(servers ...*grpc.Server) {
	close(g.stop)
	var wait sync.WaitGroup
	for _, server := range servers {
		wait.Go(func() {
			late := time.AfterFunc(g.cfg.Grace, server.Stop)
			defer late.Stop()
			server.GracefulStop()
		})
	}
	wait.Wait()
}

// close waits for the goroutines of Run and its calls, and releases what they held.
func (g *Gateway) close() error {
	g.intakes.Wait()
	g.caller.close()
	g.jobs.close()
	return g.rt.Scratch.Close()
}

func (g *Gateway) stopping() bool {
	select {
	case <-g.stop:
		return true
	default:
		return false
	}
}

// Bounds of a connection.
const (
	maxHeaders        = 16 << 10
	maxCalls          = 128
	streamWindow      = 256 << 10 // bytes that a client may send ahead; gRPC's own windows grow to 16 MiB
	connectionWindow  = 8 << 20   // of all streams together; bytes already received do not count
	handshakePatience = 10 * time.Second
	strangerPatience  = 10 * time.Second // for the first call that is admitted
	maxIdle           = 15 * time.Minute // of a connection without calls
	pingAfter         = 30 * time.Second // of silence, to detect dead clients
	pingPatience      = 15 * time.Second
	pingsNoLess       = 5 * time.Second // least interval between a client's pings
)

func (g *Gateway) newServer(secure *tls.Config) *grpc.Server {
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(protocol.MaxMessage),
		grpc.MaxSendMsgSize(protocol.MaxPage),
		grpc.StaticStreamWindowSize(streamWindow),
		grpc.StaticConnWindowSize(connectionWindow),
		grpc.MaxHeaderListSize(maxHeaders),
		grpc.MaxConcurrentStreams(maxCalls),
		grpc.ConnectionTimeout(handshakePatience),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionIdle: maxIdle, Time: pingAfter, Timeout: pingPatience,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: pingsNoLess, PermitWithoutStream: true}),
		grpc.InTapHandle(g.admit),
		grpc.StreamInterceptor(g.intercept),
		grpc.ForceServerCodecV2(newCodec()),
		grpc.WaitForHandlers(true),
	}
	if secure != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(secure)))
	}
	server := grpc.NewServer(options...)
	flight.RegisterFlightServiceServer(server, g)
	return server
}

// intercept wraps every call.
func (g *Gateway) intercept(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) (err error) {
	defer func() {
		if context.Cause(stream.Context()) == errTakenOut { //nolint:errorlint // it is never wrapped
			err = errTakenOut
		}
		if err = asStatus(err); err != nil {
			g.metrics.Refused.Add(1)
			g.log.Debug("refused", "call", info.FullMethod, "client", OwnerOf(stream.Context()), "error", err)
		}
	}()
	if p, ok := peer.FromContext(stream.Context()); ok {
		if err := g.connections.Known(p.Addr.String(), OwnerOf(stream.Context())); err != nil {
			return err
		}
	}
	defer g.rescue(info.FullMethod, func(fault error) { err = fault })
	return handle(srv, stream)
}

// rescue, when deferred, recovers from a panic that one client's bytes may have caused,
// so that the process goes on serving others.
func (g *Gateway) rescue(what string, tell func(error)) {
	if fault := recover(); fault != nil {
		g.metrics.Panics.Add(1)
		g.log.Error("a fault of the program", "in", what, "fault", fault, "stack", string(debug.Stack()))
		tell(status.Error(codes.Internal, "a fault of the program, which its log describes"))
	}
}
