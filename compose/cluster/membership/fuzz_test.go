package membership

import (
	"encoding/json"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/memberlist"

	"analyzer/process/stranger"
)

// FuzzAnnounced has a node announce any bytes about itself. What members keep of it has its
// name, and its page is an address if it has one.
func FuzzAnnounced(f *testing.F) {
	about, err := json.Marshal(Member{Name: "worker-0", Role: Worker, HTTP: "0.0.0.0:9090", PID: 7, Since: old})
	if err != nil {
		f.Fatal(err)
	}
	f.Add("worker-0", about)
	f.Add("worker-1", about)
	f.Add("worker-0", []byte(`{"http": "[::]:x", "rank": 9223372036854775807}`))
	f.Add("", []byte(strings.Repeat("[", memberlist.MetaMaxSize)))
	f.Fuzz(func(t *testing.T, name string, meta []byte) {
		if len(meta) > memberlist.MetaMaxSize { // which the library refuses
			t.Skip()
		}
		k := &known{log: slog.New(slog.DiscardHandler), members: make(map[string]Member), address: make(map[string]string)}
		stranger.Bound(t, len(name)+len(meta), func() error {
			node := &memberlist.Node{Name: name, Addr: net.IPv4(192, 0, 2, 1), Port: 7946, Meta: meta}
			k.NotifyJoin(node)
			if m, ok := k.members[name]; len(k.members) > 1 || ok && m.Name != name {
				t.Errorf("%q announces %q: %v", name, meta, k.members)
			}
			k.NotifyLeave(node)
			if len(k.members)+len(k.address) > 0 {
				t.Errorf("%q has left: %v, %v", name, k.members, k.address)
			}
			return nil
		})
	})
}

// FuzzStranger sends any bytes, as a packet and as a stream, to a member that has a key. Nobody
// becomes a member by them.
func FuzzStranger(f *testing.F) {
	g, err := Start(Config{Self: member(Worker, 0), Cluster: "test", Listen: "127.0.0.1:0", Key: []byte("0123456789abcdef"), Every: quick, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := g.Close(); err != nil {
			f.Error(err)
		}
	})
	label := "\xf4\x04test" // hasLabelMsg and the length of what follows
	for _, message := range []string{
		"", "\x00\x82", "\x06\x83\xa5Nodes\xce\x7f\xff\xff\xff\xa4Join\xc3\xacUserStateLen\xce\x7f\xff\xff\xff", "\x07\xff", "\x09\x00", "\x0a\xff\xff\xff\xff", "\x0a\x00\x00\x00\x04abcd",
		"\x0a\x01\x3f\xff\xff" + strings.Repeat("x", 1<<10), "\x0c\x00\x00\x00\x00\x00", strings.Repeat("\x04", 1000),
	} {
		f.Add([]byte(message))
		f.Add([]byte(label + message))
	}
	packets, err := net.Dial("udp", g.Addr())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = packets.Close() })
	f.Fuzz(func(t *testing.T, sent []byte) {
		_ = packets.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = packets.Write(sent) // it may be too long for a packet
		stranger.Send(t, g.Addr(), sent)
		if all := g.Members(); len(all) != 1 || all[0].Name != g.Self().Name {
			t.Errorf("after %.200q there are %v", sent, all)
		}
	})
}
