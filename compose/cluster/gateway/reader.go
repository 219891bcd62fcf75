package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/metadata"

	"analyzer/columnar/csv"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/engine"
)

// Reader reads the files below a gateway's sources. It is a client of the gateway: the contexts that
// it gets carry the caller's token for calls of its own. Its methods are called concurrently. What it
// tells while it works goes to the caller; an error of that means that nobody listens.
type Reader interface {
	// Check refuses files that are not below a source, or that the caller may not read (PlacesOf).
	Check(ctx context.Context, files map[string]protocol.Source) error
	// Cut returns the sources of a request with the ranges in which large files are read.
	Cut(ctx context.Context, r *protocol.OpenRequest) (map[string]protocol.Source, error)
	// Bind finds files, and plans a statement.
	Bind(ctx context.Context, r *protocol.BindRequest) (*protocol.Bound, error)
	// Feed reads a unit of a job, which has it and is owner's, and uploads it. Of a range of a file it says
	// between which edges it was read.
	Feed(ctx context.Context, owner string, job *protocol.Spec, r *protocol.FeedRequest, tell Tell) (*engine.Report, *csv.Passage, error)
}

// Tell sends news to a caller. It may be called concurrently. An error means that nobody listens.
type Tell func(*protocol.News) error

var errNoSources = protocol.Errorf(protocol.Refused, "this gateway reads no files: it was started without --source")

// alive is how often a caller hears something of a call that takes long.
const alive = 2 * time.Second

// read answers one of the actions that read files, which last as long as the reading does.
func (g *Gateway) read(stream flight.FlightService_DoActionServer, request *flight.Action) error {
	if g.cfg.Reader == nil {
		return errNoSources
	}
	to := &listener{g: g, stream: stream}
	ctx, end := g.working(stream.Context())
	defer end()
	var last protocol.News
	err := to.while(ctx, func() (err error) {
		switch request.Type {
		case protocol.ActionBind:
			var r protocol.BindRequest
			if err := parse(request.Body, &r); err != nil {
				return err
			}
			last.Bound, err = g.cfg.Reader.Bind(ctx, &r)
		default:
			var r protocol.FeedRequest
			if err := parse(request.Body, &r); err != nil {
				return err
			}
			job, err := g.fed(ctx, &r)
			if err != nil {
				return err
			}
			last.Fed, last.Passage, err = g.cfg.Reader.Feed(ctx, OwnerOf(ctx), job, &r, to.tell)
			return err
		}
		return err
	})
	if cause := context.Cause(ctx); err != nil && errors.Is(cause, errStopping) {
		return errStopping
	}
	if last.Fault = protocol.FaultOf(err); err != nil && last.Fault == nil {
		return err
	}
	if last.Fault != nil {
		last.Bound, last.Fed, last.Passage = nil, nil, nil
	}
	return to.tell(&last)
}

// fed returns the job of a request, of which the caller may have the unit read.
func (g *Gateway) fed(ctx context.Context, r *protocol.FeedRequest) (*protocol.Spec, error) {
	k, err := g.jobs.find(ctx, r.Job, OwnerOf(ctx))
	switch {
	case err != nil:
		return nil, err
	case k.spec.Sources == nil:
		return nil, refused("job %s has no sources: its client uploads its tables", r.Job)
	case !k.spec.HasUnit(r.Unit):
		return nil, refused("job %s has no split %d of a table that stage %d scans", r.Job, r.Split, r.Stage)
	}
	return k.spec, g.cfg.Reader.Check(ctx, k.spec.Sources)
}

// working returns the context for work on behalf of a call, which carries its token to calls of the
// Reader. It ends when the gateway stops.
func (g *Gateway) working(call context.Context) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(call)
	for _, shown := range metadata.ValueFromIncomingContext(ctx, protocol.AuthorizationKey) {
		token, _ := protocol.TokenOf(shown)
		ctx = protocol.WithToken(ctx, token)
	}
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-g.stop:
			cancel(errStopping)
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		cancel(nil)
		watch.Wait()
	}
}

// listener is the caller of an action that takes long.
type listener struct {
	g      *Gateway
	mu     sync.Mutex
	stream flight.FlightService_DoActionServer
}

// tell sends news. A caller that does not read them is cut off.
func (l *listener) tell(news *protocol.News) error {
	text, err := json.Marshal(news)
	if err == nil && len(text) > protocol.MaxPage-protocol.Margin {
		err = refused("the answer takes %d bytes; ask for fewer files at a time", len(text))
	}
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	late := time.AfterFunc(l.g.cfg.Stall, func() { l.g.hangUp(l.stream.Context()) })
	defer late.Stop()
	return l.stream.Send(&flight.Result{Body: text})
}

// while lets the caller hear something at once, since a client that never heard from a gateway is less
// patient with it, and at intervals until do returns.
func (l *listener) while(ctx context.Context, do func() error) error {
	if err := l.tell(new(protocol.News)); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var beat sync.WaitGroup
	beat.Go(func() {
		ticks := time.NewTicker(alive)
		defer ticks.Stop()
		for {
			select {
			case <-ticks.C:
				_ = l.tell(new(protocol.News)) // if nobody listens, the call ends
			case <-ctx.Done():
				return
			}
		}
	})
	defer func() {
		cancel()
		beat.Wait()
	}()
	return do()
}
