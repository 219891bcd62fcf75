package gateway

import (
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
	"analyzer/shuffle/membroker"
)

func TestNobodyWithoutATokenIsHeard(t *testing.T) {
	c := startCluster(t, nil)
	known := c.client(annToken)
	for name, ctx := range map[string]context.Context{
		"no token":      c.client("").ctx,
		"a wrong token": c.client("ann-0123456789abcdeX").ctx,
		"a part":        c.client(annToken[:10]).ctx,
		"no bearer":     metadata.AppendToOutgoingContext(c.client("").ctx, "authorization", annToken),
		"two tokens":    protocol.WithToken(c.client(bobToken).ctx, annToken),
	} {
		by := &client{T: t, flight: known.flight, ctx: ctx}
		if _, err := by.act(protocol.ActionList, struct{}{}, nil); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: an action: %v", name, err)
		}
		if _, err := (&put{client: by, stream: by.rawPut()}).acked(); status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: an upload: %v", name, err)
		}
		get, err := by.flight.DoGet(ctx, &flight.Ticket{})
		if err == nil {
			_, err = get.Recv()
		}
		if status.Code(err) != codes.Unauthenticated {
			t.Errorf("%s: a download: %v", name, err)
		}
	}
}

// TestTokenFirst begins each call without a token or with a wrong one, and sends no message.
// It is refused at once, and no worker is asked.
func TestTokenFirst(t *testing.T) {
	c := startCluster(t, nil)
	conn, err := grpc.NewClient(c.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	for method := range served {
		for _, token := range []string{"", annToken + "x"} {
			ctx := c.client(token).ctx
			stream, err := conn.NewStream(ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, method)
			if err == nil {
				err = stream.RecvMsg(new(flight.Result))
			}
			if protocol.CodeOf(err) != protocol.NoToken {
				t.Errorf("%s with token %q: %v", method, token, err)
			}
		}
	}
	if n := c.metrics.Requests.Load() + c.metrics.Uploads.Load(); n != 0 {
		t.Errorf("%d times something was done for a stranger", n)
	}
}

// Calls that a gateway does not serve are refused before their message is read: a message
// of many empty texts could take many times its size in memory.
func TestOtherCallsAreRefusedUnread(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	paths := make([]string, protocol.MaxMessage/2)
	_, err := ann.flight.GetFlightInfo(ann.ctx, &flight.FlightDescriptor{Type: flight.DescriptorPATH, Path: paths})
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("GetFlightInfo: %v", err)
	}
	if _, err := ann.flight.GetSchema(ann.ctx, &flight.FlightDescriptor{}); status.Code(err) != codes.Unimplemented {
		t.Errorf("GetSchema: %v", err)
	}
	stream, err := ann.flight.DoExchange(ann.ctx)
	if err == nil {
		_, err = stream.Recv()
	}
	if status.Code(err) != codes.Unimplemented {
		t.Errorf("DoExchange: %v", err)
	}
}

func TestAJobIsItsOwnersAlone(t *testing.T) {
	c := startCluster(t, nil)
	ann, bob := c.client(annToken), c.client(bobToken)
	spec := c.open(ann, joined())
	scan, join := probeOf(t, spec)
	check := func(where string) {
		t.Helper()
		for action, request := range map[string]any{
			protocol.ActionDescribe: protocol.JobRequest{Job: spec.ID},
			protocol.ActionStatus:   protocol.JobRequest{Job: spec.ID},
			protocol.ActionKeys:     protocol.KeysRequest{Job: spec.ID, Node: join},
			protocol.ActionEndTable: protocol.TableEnd{Job: spec.ID, Node: scan, Batches: 1},
			protocol.ActionEnd:      protocol.JobEnd{Job: spec.ID, Reason: "mine"},
			protocol.ActionCut:      protocol.CutRequest{Job: spec.ID, As: protocol.NewJobID()},
		} {
			if _, err := bob.act(action, request, nil); protocol.CodeOf(err) != protocol.NotOwner || status.Code(err) != codes.PermissionDenied {
				t.Errorf("%s: %s: %v", where, action, err)
			}
		}
		if _, err := bob.put(spec, scan).finish(); protocol.CodeOf(err) != protocol.NotOwner {
			t.Errorf("%s: an upload: %v", where, err)
		}
		if _, err := bob.get(protocol.Ticket{Job: spec.ID, Query: "q1"}); protocol.CodeOf(err) != protocol.NotOwner {
			t.Errorf("%s: a download: %v", where, err)
		}
	}
	check("at the gateway that opened it")
	for _, r := range []protocol.CutRequest{{Job: spec.ID}, {Job: spec.ID, As: protocol.NewJobID()}} { // it is not followed
		if _, err := ann.act(protocol.ActionCut, r, nil); protocol.CodeOf(err) != protocol.Refused {
			t.Errorf("a cut: %v", err)
		}
	}
	c.gateway.jobs.forget(spec.ID)
	check("at another")
	if len(c.workers[0].data)+len(c.workers[1].data) != 0 {
		t.Error("the workers were sent something")
	}
}

func TestJobsThatAreNone(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	for _, id := range []string{
		"", "x", "../../../../etc/passwd", strings.Repeat("A", 32), strings.Repeat("g", 32), strings.Repeat("0", 31),
		strings.Repeat("0", 33), "0000000000000000/../000000000000", "analyzer.control.0",
	} {
		body := `{"job":"` + id + `"}`
		if _, err := ann.actBytes(protocol.ActionStatus, []byte(body), nil); status.Code(err) != codes.InvalidArgument {
			t.Errorf("status of %q: %v", id, err)
		}
		p := &put{client: ann, stream: ann.rawPut()}
		p.send(&flight.FlightData{FlightDescriptor: &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: []byte(body)}})
		if _, err := p.finish(); status.Code(err) != codes.InvalidArgument {
			t.Errorf("upload to %q: %v", id, err)
		}
	}
	unknown := protocol.NewJobID()
	if _, err := ann.act(protocol.ActionStatus, protocol.JobRequest{Job: unknown}, nil); protocol.CodeOf(err) != protocol.NoJob || status.Code(err) != codes.NotFound {
		t.Errorf("status of a job that is none: %v", err)
	}
	p := &put{client: ann, stream: ann.rawPut()}
	p.send(&flight.FlightData{FlightDescriptor: command(protocol.Put{Job: unknown})})
	if _, err := p.finish(); protocol.CodeOf(err) != protocol.NoJob {
		t.Errorf("upload to a job that is none: %v", err)
	}
}

func TestNodesThatAreNoScan(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	scan := scanOf(t, spec)
	for _, node := range []int{-1, scan + 1, 1 << 40} {
		if _, err := ann.act(protocol.ActionEndTable, protocol.TableEnd{Job: spec.ID, Node: node}, nil); status.Code(err) != codes.InvalidArgument {
			t.Errorf("the end of node %d: %v", node, err)
		}
		p := &put{client: ann, stream: ann.rawPut()}
		p.send(&flight.FlightData{FlightDescriptor: command(protocol.Put{Job: spec.ID, Node: node})})
		if _, err := p.finish(); status.Code(err) != codes.InvalidArgument {
			t.Errorf("an upload to node %d: %v", node, err)
		}
		if _, err := ann.act(protocol.ActionKeys, protocol.KeysRequest{Job: spec.ID, Node: node}, nil); status.Code(err) != codes.InvalidArgument {
			t.Errorf("the keys of node %d: %v", node, err)
		}
	}
}

func TestWithoutTokensOnlyThisMachineMayCall(t *testing.T) {
	server := membroker.New(membroker.Config{})
	g, err := New(Config{Replicas: 1}, server.Connect(nil), discard(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("tcp", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Run(context.Background(), lis); err == nil || !strings.Contains(err.Error(), "127.0.0.1") {
		t.Errorf("ran on %s: %v", lis.Addr(), err)
	}
	if _, err := lis.Accept(); err == nil {
		t.Error("the listener is open")
	}

	c := startCluster(t, func(cfg *Config) { cfg.Tokens = nil })
	if spec := c.open(c.client(""), request()); spec.Owner != protocol.Anyone {
		t.Errorf("the job is %q's", spec.Owner)
	}
	// A token that is shown nevertheless does no harm.
	if _, err := c.client(annToken).act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Error(err)
	}
}

func TestTokens(t *testing.T) {
	tokens, err := ParseTokens(strings.NewReader("# people\n\nann  " + annToken + "\n ann\tanother-0123456789 /data/x s3://bucket\nbob " + bobToken + "\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	for token, want := range map[string]string{annToken: "ann", "another-0123456789": "ann", bobToken: "bob", "": "", "ann": ""} {
		if g := tokens.find(token); (g != nil) != (want != "") || g != nil && g.owner != want {
			t.Errorf("%q gives %+v", token, g)
		}
	}
	if all, some := tokens.find(annToken), tokens.find("another-0123456789"); all.below != nil || !slices.Equal(some.below, []string{"/data/x", "s3://bucket"}) {
		t.Errorf("files are read below %q and %q", all.below, some.below)
	}
	for text, want := range map[string]string{
		"":                            "none",
		"# nobody\n":                  "none",
		"ann\n":                       "line 1",
		"\nann short\n":               "line 2",
		"ann " + annToken + " more\n": "line 1",
		"../x " + annToken + "\n":     "line 1",
		"ann " + annToken + " /a\nann " + annToken + " /b": "line 2",
		protocol.Anyone + " " + annToken + "\n":            "line 1",
		"ann " + annToken + "\nbob " + annToken:            "line 2",
		"ann " + strings.Repeat("x", 1<<17):                "tokens",
	} {
		_, err := ParseTokens(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.30q: %v", text, err)
		}
		if err != nil && strings.Contains(err.Error(), annToken) {
			t.Errorf("the token stands in the error %v", err)
		}
	}
}

// TestTokensAreTakenOut takes out a token with which an upload and a call without a message are
// going on. They end; those of others go on.
func TestTokensAreTakenOut(t *testing.T) {
	c := startCluster(t, nil)
	ann, bob := c.client(annToken), c.client(bobToken)
	spec := c.open(ann, request())
	mine, theirs := ann.put(spec, scanOf(t, spec)), bob.rawPut()
	mine.send(mine.batch(0, "1 tea"))
	if _, err := mine.acked(); err != nil {
		t.Fatal(err)
	}
	conn, err := grpc.NewClient(c.addr, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	silent, err := conn.NewStream(ann.ctx, &grpc.StreamDesc{ClientStreams: true, ServerStreams: true}, service+"DoGet")
	if err != nil {
		t.Fatal(err)
	}
	replace := func(text string, added, taken int) {
		t.Helper()
		tokens, err := ParseTokens(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if a, n := c.gateway.cfg.Tokens.Replace(tokens); a != added || n != taken {
			t.Errorf("%d were added and %d taken out, want %d and %d", a, n, added, taken)
		}
	}
	replace("bob "+bobToken+"\nann another-0123456789\n", 1, 1)
	// The end of a call may come before its reason. Clients try again then, and hear it.
	ended := func(err error) bool {
		return status.Code(err) == codes.Unauthenticated || status.Code(err) == codes.Canceled
	}
	if _, err := mine.acked(); !ended(err) {
		t.Errorf("an upload: %v", err)
	}
	if err := silent.RecvMsg(new(flight.Result)); !ended(err) {
		t.Errorf("a download: %v", err)
	}
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); protocol.CodeOf(err) != protocol.NoToken {
		t.Errorf("another call: %v", err)
	}
	if _, err := c.client("another-0123456789").act(protocol.ActionStatus, protocol.JobRequest{Job: spec.ID}, nil); err != nil {
		t.Errorf("with a new token: %v", err)
	}
	if _, err := (&put{client: bob, stream: theirs}).finish(); err != nil {
		t.Errorf("another client: %v", err)
	}
	replace("ann "+annToken+" /data\nbob "+bobToken+"\n", 1, 1)
	replace("ann "+annToken+"\nbob "+bobToken+"\n", 1, 1)
	if _, err := ann.act(protocol.ActionList, struct{}{}, nil); err != nil {
		t.Errorf("with a token that is back: %v", err)
	}
}

func TestConfigurations(t *testing.T) {
	server := membroker.New(membroker.Config{})
	for name, cfg := range map[string]Config{
		"no replicas":    {},
		"many replicas":  {Replicas: 10_000},
		"little memory":  {Replicas: 1, Memory: protocol.MaxMessage - 1},
		"negative limit": {Replicas: 1, Memory: -1},
	} {
		if _, err := New(cfg, server.Connect(nil), discard(), nil); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

// get fetches an answer and returns its messages.
func (c *client) get(ticket protocol.Ticket) ([]*flight.FlightData, error) {
	c.Helper()
	stream, err := c.flight.DoGet(c.ctx, &flight.Ticket{Ticket: command(ticket).Cmd})
	if err != nil {
		return nil, err
	}
	var out []*flight.FlightData
	for {
		d, err := stream.Recv()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, d)
	}
}
