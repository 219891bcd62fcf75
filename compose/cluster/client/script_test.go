package client

import (
	"encoding/json"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/compose/cluster/protocol"
	"analyzer/operators/query/physical"
	"analyzer/shuffle/broker"
)

// script is a gateway that does what a test says.
type script struct {
	flight.BaseFlightServer
	put    func(flight.FlightService_DoPutServer) error
	get    func(protocol.Ticket, flight.FlightService_DoGetServer) error
	action func(*flight.Action, flight.FlightService_DoActionServer) error
}

func (s *script) DoPut(stream flight.FlightService_DoPutServer) error { return s.put(stream) }

func (s *script) DoGet(t *flight.Ticket, stream flight.FlightService_DoGetServer) error {
	var ticket protocol.Ticket
	if err := json.Unmarshal(t.Ticket, &ticket); err != nil {
		return err
	}
	return s.get(ticket, stream)
}

func (s *script) DoAction(a *flight.Action, stream flight.FlightService_DoActionServer) error {
	return s.action(a, stream)
}

// play returns a client of a scripted gateway, and a job that it may be about.
func play(t *testing.T, s *script) *Job {
	t.Helper()
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.MaxRecvMsgSize(protocol.MaxMessage))
	flight.RegisterFlightServiceServer(server, s)
	var running sync.WaitGroup
	running.Go(func() { _ = server.Serve(lis) })
	cl, err := New(Config{Gateways: []string{lis.Addr().String()}, Patience: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cl.Close()
		server.Stop()
		running.Wait()
	})
	spec, err := protocol.NewSpec(nil, request(dataset(t, "movies")), "ann", 2, broker.Classic, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	return &Job{client: cl, Spec: spec}
}

// firstScan is a scan of the job.
func firstScan(j *Job) int {
	return slices.IndexFunc(j.Spec.Plan.Nodes, func(n *physical.Node) bool { return n.Scan != nil })
}

// putAll uploads so many batches without rows and returns what was acknowledged.
func putAll(t *testing.T, j *Job, n uint64) (acked []uint64, err error) {
	t.Helper()
	s, err := newStream(t.Context(), j, firstScan(j), 0, func(k uint64) { acked = append(acked, k) })
	if err != nil {
		t.Fatal(err)
	}
	for k := range n {
		if err := s.put(k, columnar.Rows{}, nil); err != nil {
			break
		}
	}
	err = s.close()
	return acked, err
}

// numberOf returns the number of the next batch of an upload.
func numberOf(stream flight.FlightService_DoPutServer) (uint64, error) {
	for {
		d, err := stream.Recv()
		if err != nil {
			return 0, err
		}
		if len(d.AppMetadata) > 0 {
			return protocol.DecodeNumber(d.AppMetadata)
		}
	}
}

func ack(stream flight.FlightService_DoPutServer, k uint64) error {
	return stream.Send(&flight.PutResult{AppMetadata: protocol.EncodeNumber(k)})
}

func TestStreamKeepsItsWindow(t *testing.T) {
	most := 0
	j := play(t, &script{put: func(stream flight.FlightService_DoPutServer) error {
		var held []uint64
		arrivals := make(chan uint64)
		go func() {
			defer close(arrivals)
			for {
				k, err := numberOf(stream)
				if err != nil {
					return
				}
				arrivals <- k
			}
		}()
		for open := true; open || len(held) > 0; {
			select {
			case k, ok := <-arrivals:
				if open = ok; ok {
					held = append(held, k)
					most = max(most, len(held))
				} else {
					arrivals = nil
				}
			case <-time.After(20 * time.Millisecond): // nothing more comes: acknowledge from the end, with others
				for _, k := range slices.Backward(held) {
					for _, sent := range []uint64{k, k, 1 << 40} {
						if err := ack(stream, sent); err != nil {
							return err
						}
					}
				}
				held = nil
			}
		}
		return nil
	}})
	acked, err := putAll(t, j, 50)
	slices.Sort(acked)
	if err != nil || len(acked) != 50 || acked[0] != 0 || acked[49] != 49 {
		t.Errorf("acknowledged %v, %v", acked, err)
	}
	if most != window {
		t.Errorf("%d batches were on their way, want %d", most, window)
	}
}

func TestStreamSendsAgain(t *testing.T) {
	calls := 0
	got := make(map[uint64]int)
	j := play(t, &script{put: func(stream flight.FlightService_DoPutServer) error {
		calls++
		for n := 0; ; n++ {
			k, err := numberOf(stream)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			got[k]++
			switch {
			case n == 2 && calls == 1:
				return nil // as if it were the end
			case n == 3 && calls < 5:
				return status.Error(codes.Unavailable, "stopping")
			}
			if err := ack(stream, k); err != nil {
				return err
			}
		}
	}})
	acked, err := putAll(t, j, 100)
	if err != nil || len(acked) != 100 || len(got) != 100 {
		t.Errorf("%d batches of 100 were acknowledged, %d came, %v", len(acked), len(got), err)
	}
	if calls != 5 {
		t.Errorf("there were %d calls, want 5", calls)
	}
}

func TestStreamIsRefused(t *testing.T) {
	j := play(t, &script{put: func(stream flight.FlightService_DoPutServer) error {
		if _, err := numberOf(stream); err != nil {
			return err
		}
		return protocol.Errorf(protocol.JobFailed, "the disk is full")
	}})
	_, err := putAll(t, j, 100)
	if protocol.CodeOf(err) != protocol.JobFailed || !strings.Contains(err.Error(), "the disk is full") {
		t.Errorf("the upload ended with %v", err)
	}
}

func TestGatewayThatDoesNotSayGoodbye(t *testing.T) {
	j := play(t, &script{put: func(stream flight.FlightService_DoPutServer) error {
		k, err := numberOf(stream)
		if err == nil {
			err = ack(stream, k)
		}
		<-stream.Context().Done()
		return err
	}})
	began := time.Now()
	if acked, err := putAll(t, j, 1); err != nil || len(acked) != 1 {
		t.Errorf("acknowledged %v, %v", acked, err)
	}
	if took := time.Since(began); took > 30*goodbye {
		t.Errorf("it took %v", took)
	}
}

// sendPage sends a page of so many rows.
func sendPage(stream flight.FlightService_DoGetServer, schema columnar.Schema, number uint64, rows int) error {
	r := columnar.NewRows(schema)
	for range rows {
		for _, c := range r.Cols {
			c.AppendNull()
		}
		r.Len++
	}
	message, err := ipc.Append(nil, schema, r)
	if err != nil {
		return err
	}
	header, body, err := ipc.Split(message)
	if err != nil {
		return err
	}
	return stream.Send(&flight.FlightData{DataHeader: header, DataBody: body, AppMetadata: protocol.EncodeNumber(number)})
}

// counted counts rows by batch.
type counted struct {
	discard
	batches []int
}

func (c *counted) Write(rows columnar.Rows) error {
	c.batches = append(c.batches, rows.Len)
	return nil
}

func TestFetchGoesOnWhereItWas(t *testing.T) {
	const pages, rows = 5, 5000
	var asked []int
	var schema columnar.Schema
	j := play(t, &script{get: func(ticket protocol.Ticket, stream flight.FlightService_DoGetServer) error {
		asked = append(asked, ticket.Page)
		header, err := ipc.Schema(schema.Arrow())
		if err == nil {
			err = stream.Send(&flight.FlightData{DataHeader: header})
		}
		for n := ticket.Page; n < pages && err == nil; n++ {
			if n == ticket.Page+2 {
				return status.Error(codes.Unavailable, "stopping")
			}
			err = sendPage(stream, schema, uint64(n), rows)
		}
		return err
	}})
	a := j.Spec.Plan.Answers[0]
	schema = j.Spec.Plan.Nodes[a.Node].Schema
	out := &counted{}
	if err := j.deliver(t.Context(), protocol.Ticket{Job: j.Spec.ID, Query: a.Query}, schema, out); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(asked, []int{0, 2, 4}) {
		t.Errorf("asked for pages from %v on", asked)
	}
	if want := slices.Repeat([]int{rows}, pages); !slices.Equal(out.batches, want) {
		t.Errorf("handed out batches of %v rows, want %v", out.batches, want)
	}
}

func TestFetchOfWhatIsNoAnswer(t *testing.T) {
	var schema columnar.Schema
	for name, get := range map[string]func(flight.FlightService_DoGetServer) error{
		"a page is missing": func(s flight.FlightService_DoGetServer) error { return sendPage(s, schema, 1, 1) },
		"other columns": func(s flight.FlightService_DoGetServer) error {
			header, err := ipc.Schema(columnar.Schema{{Name: "x", Type: columnar.Int}}.Arrow())
			if err != nil {
				return err
			}
			return s.Send(&flight.FlightData{DataHeader: header})
		},
		"no batch": func(s flight.FlightService_DoGetServer) error {
			return s.Send(&flight.FlightData{DataHeader: []byte("12345678"), AppMetadata: protocol.EncodeNumber(0)})
		},
		"no number": func(s flight.FlightService_DoGetServer) error {
			return s.Send(&flight.FlightData{AppMetadata: []byte{1}})
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := play(t, &script{get: func(_ protocol.Ticket, s flight.FlightService_DoGetServer) error { return get(s) }})
			a := j.Spec.Plan.Answers[0]
			schema = j.Spec.Plan.Nodes[a.Node].Schema
			if err := j.deliver(t.Context(), protocol.Ticket{Job: j.Spec.ID, Query: a.Query}, schema, discard{}); err == nil || errors.Is(err, ErrCutOff) {
				t.Errorf("fetched: %v", err)
			}
		})
	}
}

func TestActionsOfAnotherLanguage(t *testing.T) {
	for name, results := range map[string][]string{
		"nothing": nil, "too much": {"{}", "", ""}, "no JSON": {"x"}, "another job": {`{"id":"00000000000000000000000000000001"}`},
	} {
		t.Run(name, func(t *testing.T) {
			j := play(t, &script{action: func(_ *flight.Action, s flight.FlightService_DoActionServer) error {
				for _, r := range results {
					if err := s.Send(&flight.Result{Body: []byte(r)}); err != nil {
						return err
					}
				}
				return nil
			}})
			if _, err := j.client.Job(t.Context(), j.Spec.ID); err == nil {
				t.Error("a job was described")
			}
		})
	}
}
