package gateway

import (
	"bytes"
	"context"
	"log/slog"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
	"analyzer/process/stranger"
	"analyzer/shuffle/membroker"
)

// startForStrangers serves a gateway that nobody but ann and bob may call.
func startForStrangers(t testing.TB) (address string, m *Metrics) {
	t.Helper()
	tokens, err := ParseTokens(strings.NewReader("ann " + annToken + "\nbob " + bobToken + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	b := membroker.New(membroker.Config{Seed: 1}).Connect(nil)
	m = new(Metrics)
	g, err := New(Config{Replicas: 2, Tokens: tokens, FS: vfs.NewMem(), SpillDir: "/"}, b, slog.New(slog.DiscardHandler), m)
	if err != nil {
		t.Fatal(err)
	}
	lis, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- g.Run(ctx, lis) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
		b.Close()
	})
	return lis.Addr().String(), m
}

// callOf is the bytes of a call by gRPC with some fields of metadata, and a message if there is
// one.
func callOf(method string, message []byte, fields ...string) []byte {
	var out, headers bytes.Buffer
	out.WriteString(http2.ClientPreface)
	encoder := hpack.NewEncoder(&headers)
	fields = append([]string{":method", "POST", ":scheme", "http", ":path", method, ":authority", "x", "content-type", "application/grpc", "te", "trailers"}, fields...)
	for i := 0; i < len(fields); i += 2 {
		_ = encoder.WriteField(hpack.HeaderField{Name: fields[i], Value: fields[i+1]}) // to memory
	}
	framer := http2.NewFramer(&out, nil)
	_ = framer.WriteSettings()
	block := headers.Bytes()
	first := block[:min(len(block), 16<<10)]
	_ = framer.WriteHeaders(http2.HeadersFrameParam{StreamID: 1, BlockFragment: first, EndHeaders: len(first) == len(block)})
	for rest := block[len(first):]; len(rest) > 0; {
		next := rest[:min(len(rest), 16<<10)]
		rest = rest[len(next):]
		_ = framer.WriteContinuation(1, len(rest) == 0, next)
	}
	if message != nil {
		_ = framer.WriteData(1, true, message)
	}
	return out.Bytes()
}

// FuzzStranger sends any bytes to the address of clients. What they cost is bounded, and the
// gateway holds nothing for them.
func FuzzStranger(f *testing.F) {
	f.Add([]byte(http2.ClientPreface))
	f.Add([]byte("GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
	f.Add([]byte{22, 3, 1, 0, 5, 1, 0, 0, 1, 3})
	for _, method := range []string{"DoPut", "DoGet", "DoAction", "ListActions", "Handshake"} {
		f.Add(callOf(service+method, []byte{0, 0, 0, 0, 2, 10, 0}))
		f.Add(callOf(service+method, []byte{0, 255, 255, 255, 255, 1}, protocol.AuthorizationKey, protocol.BearerPrefix+"not-a-token-of-anybody"))
	}
	f.Add(callOf("", nil, "grpc-timeout", "99999999H", "grpc-encoding", "gzip"))
	f.Add(callOf(service+"DoAction", nil, protocol.AuthorizationKey, protocol.BearerPrefix+strings.Repeat("x", 60<<10)))
	many := []string{}
	for range 3000 {
		many = append(many, protocol.AuthorizationKey, "x")
	}
	f.Add(callOf(service+"DoAction", nil, many...))
	f.Add(append([]byte(http2.ClientPreface), bytes.Repeat([]byte{0, 0, 8, 6, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8}, 1000)...)) // pings
	address, m := startForStrangers(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		stranger.Send(t, address, sent)
		if held, streams, faults := m.Held.Load(), m.Streams.Load()+m.Downloads.Load(), m.Panics.Load(); held+streams+faults != 0 {
			t.Errorf("for %.200q the gateway holds %d bytes and %d streams, with %d faults", sent, held, streams, faults)
		}
	})
}

// FuzzAdmit shows any headers. Nobody is admitted who does not show one token that is known.
func FuzzAdmit(f *testing.F) {
	tokens, err := ParseTokens(strings.NewReader("ann " + annToken + "\nbob " + bobToken + "\n"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(protocol.BearerPrefix+annToken, false)
	f.Add(protocol.BearerPrefix+annToken, true)
	f.Add(protocol.BearerPrefix+" "+annToken, false)
	f.Add("bearer "+bobToken, false)
	f.Add(strings.Repeat("x", maxHeaders), false)
	f.Fuzz(func(t *testing.T, header string, twice bool) {
		shown := []string{header}
		if twice {
			shown = append(shown, header)
		}
		stranger.Bound(t, len(header), func() error {
			ctx, err := tokens.Admit(t.Context(), shown)
			scheme, token, _ := strings.Cut(header, " ")
			want := map[string]string{annToken: "ann", bobToken: "bob"}[token]
			if !strings.EqualFold(scheme, "Bearer") {
				want = ""
			}
			if known := want != "" && !twice; known != (err == nil) || known && OwnerOf(ctx) != want || !known && protocol.CodeOf(err) != protocol.NoToken {
				t.Errorf("%q, twice %v: %v", header, twice, err)
			}
			return nil
		})
	})
}
