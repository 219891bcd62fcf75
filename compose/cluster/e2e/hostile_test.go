package e2e_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"golang.org/x/net/http2"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/plan"
)

// smallMemory is the memory of a process in these tests, and mostMemory what it may
// take: the collector keeps it near the first one, and the program's own pages and
// what is on its way come on top.
const (
	smallMemory = "64MiB"
	mostMemory  = 64<<20 + 60<<20
)

// modest fails the test if a process has taken too much memory.
func modest(t *testing.T, p *e2e.Process) {
	t.Helper()
	if runtime.GOOS != "linux" {
		return
	}
	_, most, err := p.Memory()
	if err != nil || most == 0 || most > mostMemory {
		t.Errorf("%s has had %d MiB of memory, %d are right: %v", p.Name(), most>>20, mostMemory>>20, err)
		return
	}
	t.Logf("%s has had %d MiB of memory", p.Name(), most>>20)
}

// dial connects to the first gateway, with limits that are no help to it.
func dial(t *testing.T, c *e2e.Cluster) flight.FlightServiceClient {
	t.Helper()
	conn, err := grpc.NewClient("passthrough:///"+c.Gateways(), grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(1<<30), grpc.MaxCallRecvMsgSize(1<<30)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return flight.NewFlightServiceClient(conn)
}

// TestAnswersThatNobodyReads asks for a large answer again and again, and reads
// nothing of it.
func TestAnswersThatNobodyReads(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Memory: smallMemory})
	j, cl := large(t, c)
	ticket, err := json.Marshal(protocol.Ticket{Job: j.Spec.ID, Query: "all"})
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		f := dial(t, c)
		for range 100 {
			if _, err := f.DoGet(t.Context(), &flight.Ticket{Ticket: ticket}); err != nil {
				t.Fatal(err)
			}
		}
	}
	c.Exact(c.Submit(t.Context(), "books"), "books")
	modest(t, c.Gateway(0))
	if err := cl.End(t.Context(), j.Spec.ID, "done"); err != nil {
		t.Error(err)
	}
	c.Leftovers()
}

// large runs a job whose answer is most of a table.
func large(t *testing.T, c *e2e.Cluster) (*client.Job, *client.Client) {
	t.Helper()
	d, err := catalog.Find("books", nil)
	if err != nil {
		t.Fatal(err)
	}
	q := &plan.Query{Name: "all", Root: plan.From("reviews").Select("title", "text").Sort(plan.Asc("title"))}
	cl, err := client.New(client.Config{Gateways: []string{c.Gateways()}, Patience: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cl.Close() })
	j, err := cl.Open(t.Context(), protocol.OpenRequest{
		Label: "large", Tables: d.Tables, Queries: []*plan.Query{q}, Block: 1 << 20, TTL: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	dir := c.Generated("books", "0.02")
	_, err = j.Upload(t.Context(), client.Upload{MaxRejects: -1, Open: func(table string) (vfs.File, error) {
		return vfs.OS().Open(filepath.Join(dir, j.Spec.Table(table).Files[0]))
	}})
	if err != nil {
		t.Fatal(err)
	}
	for {
		s, err := cl.Status(t.Context(), j.Spec.ID)
		if err != nil || client.Ended(s) != nil {
			t.Fatal(err, client.Ended(s))
		}
		if len(s.Answers) > 0 {
			return j, cl
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// TestLongRows uploads reviews of 6 MiB, and of 10, which is more than a message to a
// worker may have. The questions about books want their sentiment, which the gateway
// finds; a statement wants them on workers.
func TestLongRows(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{Memory: smallMemory, GatewayFlags: e2e.Serve})
	for _, size := range []int{6 << 20, 10 << 20} {
		dir := c.Scratch()
		if err := os.CopyFS(dir, os.DirFS(c.Generated("books", "0.01"))); err != nil {
			t.Fatal(err)
		}
		lengthen(t, dir, 2, size)
		c.Exact(c.Submit(t.Context(), "books", dir), "books", dir)

		ranked := fmt.Sprintf(`SELECT length(t) AS l, n FROM (SELECT "review/text" AS t, row_number() OVER (PARTITION BY "Title" ORDER BY "Id") AS n FROM '%s') ORDER BY ALL DESC LIMIT 9`,
			filepath.Join(dir, "Books_rating.csv"))
		want := c.Command(t.Context(), "sql", ranked)
		r := c.Command(t.Context(), "sql", ranked, "--gateway", c.Gateways())
		switch {
		case want.Code != 0:
			t.Errorf("in one process: %s", want.Stderr)
		case size < 8<<20 && (r.Code != 0 || !bytes.Equal(r.Stdout, want.Stdout)):
			t.Errorf("rows of %d bytes: status %d, %q where %q is right:\n%s", size, r.Code, r.Stdout, want.Stdout, r.Stderr)
		case size > 8<<20 && (r.Code != 1 || !bytes.Contains(r.Stderr, []byte("a single row that is too large is for run alone"))):
			t.Errorf("rows of %d bytes: status %d:\n%s", size, r.Code, r.Stderr)
		}
	}
	if n := c.Gateway(0).Metric("analyzer_gateway_bytes_total"); n < 12<<20 {
		t.Errorf("%d bytes came to the gateway: few long rows", n)
	}
	modest(t, c.Gateway(0))
	c.Leftovers()
}

// lengthen adds reviews with texts of so many bytes, of books whose reviews' texts
// are read.
func lengthen(t *testing.T, dir string, rows, size int) {
	t.Helper()
	fiction := make(map[string]bool)
	_, books := records(t, filepath.Join(dir, "books_data.csv"))
	for _, b := range books[1:] {
		fiction[b[0]] = strings.Contains(b[slices.Index(books[0], "categories")], "Fiction")
	}
	f, reviews := records(t, filepath.Join(dir, "Books_rating.csv"))
	w := csv.NewWriter(f) // where the reader has come to, the end
	title, text := slices.Index(reviews[0], "Title"), slices.Index(reviews[0], "review/text")
	for _, r := range reviews[1:] {
		if fiction[r[title]] && rows > 0 {
			r[text] = strings.Repeat("a very good book, ", size/18)
			_ = w.Write(r)
			rows--
		}
	}
	w.Flush()
	if err := errors.Join(w.Error(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// records reads a CSV file to its end.
func records(t *testing.T, name string) (*os.File, [][]string) {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return f, all
}

// TestOddClients lets clients in that do not speak the gateway's language, or
// misuse it. They are refused, and another client does not notice.
func TestOddClients(t *testing.T) {
	lengthy(t)
	c := shared.Start(t, e2e.Options{Memory: smallMemory, GatewayFlags: e2e.Serve})
	ctx, cancel := context.WithCancel(t.Context())
	var odd sync.WaitGroup
	for i := range 8 {
		odd.Go(func() { speakOddly(ctx, c.Gateways(), uint64(i)) })
	}
	odd.Go(func() { sendMuch(ctx, t, dial(t, c)) })
	for range 2 {
		for _, d := range catalog.All() {
			c.Exact(c.Submit(t.Context(), d.Name, "--block-size", "64KiB"), d.Name)
		}
	}
	cancel()
	odd.Wait()
	if n := c.Gateway(0).Starts(); n != 1 {
		t.Errorf("the gateway was started %d times", n)
	}
	if n := c.Gateway(0).Metric("analyzer_gateway_panics_total"); n != 0 {
		t.Errorf("%d faults of the program", n)
	}
	modest(t, c.Gateway(0))
	c.Leftovers()
}

// speakOddly opens connections and writes to them what is wrong from some byte on.
func speakOddly(ctx context.Context, address string, seed uint64) {
	rng := rand.New(rand.NewPCG(seed, 0))
	d := net.Dialer{Timeout: time.Second}
	for n := 0; ctx.Err() == nil; n++ {
		conn, err := d.DialContext(ctx, "tcp", address)
		if err != nil {
			continue
		}
		_ = conn.SetDeadline(time.Now().Add(100 * time.Millisecond))
		noise := make([]byte, rng.IntN(64<<10))
		for i := range noise {
			noise[i] = byte(rng.Uint32())
		}
		switch n % 4 {
		case 0: // says nothing
		case 1:
			_, _ = conn.Write(noise)
		case 2:
			_, _ = io.WriteString(conn, http2.ClientPreface)
			_, _ = conn.Write(noise)
		case 3: // a frame of 16 MiB
			_, _ = io.WriteString(conn, http2.ClientPreface)
			f := http2.NewFramer(conn, nil)
			_ = f.WriteSettings()
			_, _ = conn.Write([]byte{0xff, 0xff, 0xff, 0, 0, 0, 0, 0, 1})
			_, _ = conn.Write(noise)
		}
		_, _ = io.Copy(io.Discard, io.LimitReader(conn, 1<<10))
		_ = conn.Close()
	}
}

// sendMuch uploads, on many streams at a time, messages as long as they may be, and
// longer ones, that are no batches.
func sendMuch(ctx context.Context, t *testing.T, f flight.FlightServiceClient) {
	long := make([]byte, protocol.MaxMessage-(1<<10))
	var all sync.WaitGroup
	for i := range 60 {
		all.Go(func() {
			for ctx.Err() == nil {
				put, err := f.DoPut(ctx)
				if err != nil {
					continue
				}
				d := &flight.FlightData{DataBody: long}
				want := codes.InvalidArgument
				if i%8 == 0 {
					d.DataBody, want = make([]byte, protocol.MaxMessage+1), codes.ResourceExhausted
				}
				_ = put.Send(d)
				_, err = put.Recv()
				if got := status.Code(err); ctx.Err() == nil && got != want && got != codes.Unavailable {
					t.Errorf("a message of %d bytes: %v", len(d.DataBody), err)
				}
			}
		})
	}
	all.Wait()
}
