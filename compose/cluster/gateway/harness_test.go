package gateway

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/expr"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/membroker"
)

const (
	annToken = "ann-0123456789abcdef"
	bobToken = "bob-0123456789abcdef"
)

// cluster is a gateway with fake workers and a broker in memory.
type cluster struct {
	*testing.T
	server  *membroker.Server
	broker  *membroker.Client // the gateway's
	workers []*fakeWorker
	gateway *Gateway
	metrics *Metrics
	addr    string
	stop    context.CancelFunc
	done    chan error // what Run returned
	// between stands between the gateway and its broker, if it is set.
	between func(broker.Broker) broker.Broker
}

// startCluster starts one with two workers; change may change the configuration.
func startCluster(t *testing.T, change func(*Config)) *cluster {
	t.Helper()
	return startClusterOn(t, membroker.New(membroker.Config{Seed: 1}), change)
}

func startClusterOn(t *testing.T, server *membroker.Server, change func(*Config)) *cluster {
	t.Helper()
	return startClusterBehind(t, server, nil, change)
}

// startClusterBehind has something between the gateway and its broker.
func startClusterBehind(t *testing.T, server *membroker.Server, between func(broker.Broker) broker.Broker, change func(*Config)) *cluster {
	t.Helper()
	tokens, err := ParseTokens(strings.NewReader("ann " + annToken + "\nbob " + bobToken + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Replicas: 2, Tokens: tokens, Patience: 300 * time.Millisecond, Timeout: 5 * time.Second, FS: vfs.NewMem(), SpillDir: "/"}
	if change != nil {
		change(&cfg)
	}
	c := &cluster{T: t, server: server, between: between}
	c.runBroker()
	for r := range cfg.Replicas {
		b := c.server.Connect(nil)
		t.Cleanup(func() { b.Close() })
		c.workers = append(c.workers, startWorker(t, b, r))
	}
	c.serve(cfg)
	return c
}

// another is the cluster seen through a gateway that runs new jobs on another number of
// workers.
func (c *cluster) another(replicas int) *cluster {
	c.Helper()
	cfg := c.gateway.cfg
	cfg.Replicas = replicas
	other := &cluster{T: c.T, server: c.server, workers: c.workers}
	other.serve(cfg)
	return other
}

// serve starts a gateway.
func (c *cluster) serve(cfg Config) {
	t := c.T
	t.Helper()
	c.broker, c.metrics, c.done = c.server.Connect(nil), new(Metrics), make(chan error, 1)
	t.Cleanup(func() { c.broker.Close() })
	log := slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelDebug}))
	var err error
	var b broker.Broker = c.broker
	if c.between != nil {
		b = c.between(b)
	}
	if c.gateway, err = New(cfg, b, log, c.metrics); err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.addr = lis.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	c.stop = cancel
	go func() { c.done <- c.gateway.Run(ctx, lis) }()
	t.Cleanup(func() {
		c.end()
		waitFor(t, "nothing to be held", func() bool { return c.metrics.Held.Load() == 0 })
		if n := c.metrics.Panics.Load(); n != 0 {
			t.Errorf("%d faults of the program", n)
		}
	})
}

// end stops the gateway and checks that it ended well.
func (c *cluster) end() {
	c.Helper()
	if c.stop == nil {
		return
	}
	c.stop()
	c.stop = nil
	select {
	case err := <-c.done:
		if err != nil {
			c.Errorf("the gateway ended: %v", err)
		}
	case <-time.After(time.Minute):
		c.Fatal("the gateway does not end")
	}
}

// runBroker lets the broker work until the test has ended.
func (c *cluster) runBroker() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{}, 4)
	for range cap(done) {
		go func() { c.server.Run(ctx); done <- struct{}{} }()
	}
	c.Cleanup(func() {
		cancel()
		for range cap(done) {
			<-done
		}
	})
}

// testWriter writes to a test's log.
type testWriter struct{ t *testing.T }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// client is one client's connection.
type client struct {
	*testing.T
	flight flight.Client
	ctx    context.Context
}

func (c *cluster) client(token string) *client {
	c.Helper()
	f, err := flight.NewClientWithMiddleware(c.addr, nil, nil,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(protocol.MaxPage), grpc.MaxCallSendMsgSize(2*protocol.MaxMessage)))
	if err != nil {
		c.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	c.Cleanup(func() { cancel(); f.Close() })
	return &client{T: c.T, flight: f, ctx: protocol.WithToken(ctx, token)}
}

// act does an action, and returns the second result.
func (c *client) act(name string, request, result any) ([]byte, error) {
	c.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		c.Fatal(err)
	}
	return c.actBytes(name, body, result)
}

func (c *client) actBytes(name string, body []byte, result any) ([]byte, error) {
	c.Helper()
	stream, err := c.flight.DoAction(c.ctx, &flight.Action{Type: name, Body: body})
	if err != nil {
		return nil, err
	}
	var out [][]byte
	for {
		r, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		out = append(out, r.Body)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no result", name)
	}
	if result != nil {
		if err := json.Unmarshal(out[0], result); err != nil {
			return nil, err
		}
	}
	if len(out) > 1 {
		return out[1], nil
	}
	return nil, nil
}

var salesTable = &columnar.Table{Name: "sales", Files: []string{"sales.csv"}, Columns: []columnar.TableColumn{
	{Name: "shop", Header: "shop", Format: columnar.FormatInt},
	{Name: "good", Header: "good", Format: columnar.FormatText},
	{Name: "price", Header: "price", Format: columnar.FormatDecimal},
}}

// request asks for the shops' sales of everything but air.
func request() *protocol.OpenRequest {
	return &protocol.OpenRequest{
		Label: "sales", Tables: []*columnar.Table{salesTable}, Block: 1 << 16, TTL: time.Hour,
		Queries: []*plan.Query{{
			Name: "q1",
			Root: plan.From("sales").Filter(expr.Ne(expr.Col("good"), expr.Str("air"))).
				Aggregate([]string{"shop"}, plan.Agg{Func: plan.Count, Name: "n"}).Sort(plan.Asc("shop")),
		}},
	}
}

// open opens a job, and makes the workers listen to its queues.
func (c *cluster) open(by *client, r *protocol.OpenRequest) *protocol.Spec {
	c.Helper()
	var opened protocol.Opened
	if _, err := by.act(protocol.ActionOpen, r, &opened); err != nil {
		c.Fatal(err)
	}
	for _, w := range c.workers {
		w.listen(c.T, opened.Spec)
	}
	return opened.Spec
}

// scanOf returns a job's only scan.
func scanOf(t testing.TB, spec *protocol.Spec) int {
	t.Helper()
	for _, n := range spec.Plan.Nodes {
		if n.Scan != nil {
			return n.ID
		}
	}
	t.Fatal("the job has no scan")
	return 0
}

// put is an upload of a client.
type put struct {
	*client
	stream flight.FlightService_DoPutClient
	schema columnar.Schema
}

// put begins an upload.
func (c *client) put(spec *protocol.Spec, node int) *put {
	c.Helper()
	schema, err := protocol.UploadSchema(spec, node)
	if err != nil {
		c.Fatal(err)
	}
	header, err := ipc.Schema(schema.Arrow())
	if err != nil {
		c.Fatal(err)
	}
	p := &put{client: c, schema: schema, stream: c.rawPut()}
	p.send(&flight.FlightData{FlightDescriptor: command(protocol.Put{Job: spec.ID, Node: node}), DataHeader: header})
	return p
}

func (c *client) rawPut() flight.FlightService_DoPutClient {
	c.Helper()
	stream, err := c.flight.DoPut(c.ctx)
	if err != nil {
		c.Fatal(err)
	}
	return stream
}

func command(p any) *flight.FlightDescriptor {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err)
	}
	return &flight.FlightDescriptor{Type: flight.DescriptorCMD, Cmd: text}
}

// send sends a message. If the stream has ended, reading its results shows that.
func (p *put) send(d *flight.FlightData) {
	p.Helper()
	if err := p.stream.Send(d); err != nil && err != io.EOF {
		p.Fatal(err)
	}
}

// batch makes a message of rows "shop good", one for each pair of words.
func (p *put) batch(k uint64, rows string) *flight.FlightData {
	p.Helper()
	message, err := ipc.Append(nil, p.schema, salesOf(p.schema, rows))
	if err != nil {
		p.Fatal(err)
	}
	header, body, err := ipc.Split(message)
	if err != nil {
		p.Fatal(err)
	}
	return &flight.FlightData{DataHeader: header, DataBody: body, AppMetadata: protocol.EncodeNumber(k)}
}

func salesOf(schema columnar.Schema, text string) columnar.Rows {
	rows := columnar.NewRows(schema)
	words := strings.Fields(text)
	for ; len(words) > 1; words = words[2:] {
		var shop int64
		fmt.Sscan(words[0], &shop)
		rows.Cols[schema.Index("shop")].AppendInt(shop)
		rows.Cols[schema.Index("good")].AppendBytes([]byte(words[1]))
		rows.Len++
	}
	return rows
}

// acked receives an answer and returns its number.
func (p *put) acked() (uint64, error) {
	r, err := p.stream.Recv()
	if err != nil {
		return 0, err
	}
	return protocol.DecodeNumber(r.AppMetadata)
}

// finish closes the client's side and returns the answers that were left.
func (p *put) finish() ([]uint64, error) {
	p.Helper()
	if err := p.stream.CloseSend(); err != nil {
		p.Fatal(err)
	}
	var out []uint64
	for {
		k, err := p.acked()
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, k)
	}
}

// stored is a stream of messages that were received before.
type stored struct{ messages []*flight.FlightData }

func (s *stored) Recv() (*flight.FlightData, error) {
	if len(s.messages) == 0 {
		return nil, io.EOF
	}
	d := s.messages[0]
	s.messages = s.messages[1:]
	return d, nil
}
