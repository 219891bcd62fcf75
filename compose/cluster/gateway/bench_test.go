package gateway

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/scatter"
	"analyzer/operators/query/plan"
	"analyzer/shuffle/broker"
)

// sink is a broker that confirms everything at once.
type sink struct{ broker.Broker }

func (sink) Declare(context.Context, ...broker.Queue) error { return nil }

func (sink) Publish(_ context.Context, _ string, _ []byte, done func(error)) error {
	go done(nil)
	return nil
}

func (sink) Consume(context.Context, string, int, func(broker.Delivery)) (broker.Subscription, error) {
	return nothingComes{}, nil
}

// nothingComes is a subscription to a queue of the sink.
type nothingComes struct{}

func (nothingComes) Cancel()               {}
func (nothingComes) Done() <-chan struct{} { return nil }
func (nothingComes) Err() error            { return nil }

// salesBatch is a batch of so many rows.
func salesBatch(b *testing.B, f *scatter.Scan, rows int) *flight.FlightData {
	b.Helper()
	var text strings.Builder
	for i := range rows {
		fmt.Fprintf(&text, "%d good%d ", i*7919%1000, i%50)
	}
	message, err := ipc.Append(nil, f.Schema(), salesOf(f.Schema(), text.String()))
	if err != nil {
		b.Fatal(err)
	}
	header, body, err := ipc.Split(message)
	if err != nil {
		b.Fatal(err)
	}
	return &flight.FlightData{DataHeader: header, DataBody: body}
}

// BenchmarkBatch makes the messages of one batch.
func BenchmarkBatch(b *testing.B) {
	all := request()
	all.Queries[0].Root = plan.From("sales").Select("shop", "good").
		Join(plan.From("sales").Project(plan.As("of", plan.Cols("shop")[0].Expr)), plan.On("shop", "of")).Sort(plan.Asc("shop"))
	for name, r := range map[string]*protocol.OpenRequest{"counted": request(), "routed": all} {
		b.Run(name, func(b *testing.B) {
			spec := testSpec(b, r)
			f, err := scatter.New(testRuntime(b), spec, scanOf(b, spec))
			if err != nil {
				b.Fatal(err)
			}
			defer f.Close()
			d := salesBatch(b, f, 20_000)
			b.SetBytes(int64(len(d.DataBody)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := scatterBytes(b.Context(), f, 0, 0, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkUpload sends batches through a gateway on this machine.
func BenchmarkUpload(b *testing.B) {
	g, err := New(Config{Replicas: 2}, sink{}, slog.New(slog.DiscardHandler), nil)
	if err != nil {
		b.Fatal(err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx, lis) }()
	defer func() { stop(); <-done }()
	spec := testSpec(b, request())
	spec.Owner = protocol.Anyone
	g.jobs.add(spec, 0)
	k := g.jobs.lookUp(spec.ID)
	f, err := k.scan(scanOf(b, spec), 0, g.rt)
	if err != nil {
		b.Fatal(err)
	}
	c, err := flight.NewClientWithMiddleware(lis.Addr().String(), nil, nil, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	d := salesBatch(b, f, 40_000)
	stream, err := c.DoPut(ctx)
	if err != nil {
		b.Fatal(err)
	}
	header, err := ipc.Schema(f.Schema().Arrow())
	if err != nil {
		b.Fatal(err)
	}
	if err := stream.Send(&flight.FlightData{FlightDescriptor: command(protocol.Put{Job: spec.ID, Node: scanOf(b, spec)}), DataHeader: header}); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(d.DataBody)))
	b.ReportAllocs()
	b.ResetTimer()
	go func() {
		for i := range b.N {
			if stream.Send(&flight.FlightData{DataHeader: d.DataHeader, DataBody: d.DataBody, AppMetadata: protocol.EncodeNumber(uint64(i))}) != nil {
				return
			}
		}
		stream.CloseSend()
	}()
	for range b.N {
		if _, err := stream.Recv(); err != nil {
			b.Fatal(err)
		}
	}
	if _, err := stream.Recv(); err != io.EOF {
		b.Fatal(err)
	}
}
