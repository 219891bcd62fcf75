// Package membership lets the processes of a cluster know each other: who lives,
// where its page is, and who leads. Workers, gateways and supervisors gossip; each
// asks others again and again whether they live, so that all know within about two
// seconds that one has died, and nobody needs a list of all.
//
// The leader is the live supervisor of the highest rank. Everybody works that out for
// himself from who lives; nothing is voted on, and for as long as news travel two may
// take themselves for it. That is harmless: leaders do nothing but start processes
// again, and a worker that has a double is refused. A supervisor that comes
// joins the leader it finds, and takes over from one of a lower rank once it has
// lived for a while (Newcomer), so that one that dies at each start never leads while
// another one can.
//
// Any process tells on its page what all of a cluster is like (Page).
package membership

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"analyzer/process"

	"github.com/hashicorp/memberlist"
)

// Config says who joins what.
type Config struct {
	Self    Member
	Cluster string // what it is called; those of another one are not heard
	Listen  string // host:port for gossip, of a host that others can reach; port 0: a free one
	// Join are addresses of members; those that are not there are tried again all the
	// time.
	Join []string
	Key  []byte // of 16 bytes or more, which all must have; nil: gossip is not encrypted
	// Every is how often a member asks another one whether it lives; 0: 300 ms.
	Every time.Duration
	// Transport carries gossip; nil: the network does. A test cuts it.
	Transport memberlist.Transport
	Log       *slog.Logger
}

// Group is a membership. Its methods may be called concurrently.
type Group struct {
	cfg   Config
	list  *memberlist.Memberlist
	known *known
	addr  string
	stop  func()
}

// MinKey is how many bytes the key of gossip has at least.
const MinKey = 16

const (
	usualEvery = 300 * time.Millisecond
	// suspicion is for how many times Every a member that does not answer may still
	// say that it lives.
	suspicion    = 4
	rejoinEvery  = time.Second
	leaveFor     = 500 * time.Millisecond
	joinPatience = time.Second
)

// Start joins, as far as anybody is there, and stays until Leave or Close.
func Start(cfg Config) (*Group, error) {
	cfg.Every = cmp.Or(cfg.Every, usualEvery)
	settings, err := cfg.settings()
	if err != nil {
		return nil, err
	}
	k := &known{log: cfg.Log, members: make(map[string]Member), address: make(map[string]string)}
	settings.Events = k
	list, err := memberlist.Create(settings)
	if err != nil {
		return nil, fmt.Errorf("listen on %s for gossip: %w", cfg.Listen, err)
	}
	g := &Group{
		cfg: cfg, list: list, known: k,
		addr: net.JoinHostPort(settings.BindAddr, strconv.Itoa(settings.BindPort)),
	}
	g.rejoin()
	g.stop = process.Every(rejoinEvery, g.rejoin)
	return g, nil
}

func (cfg Config) settings() (*memberlist.Config, error) {
	at, err := net.ResolveTCPAddr("tcp", cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %q for gossip, expected host:port: %w", cfg.Listen, err)
	}
	if at.IP == nil {
		at.IP = net.IPv4zero
	}
	about, err := json.Marshal(cfg.Self)
	if err != nil {
		return nil, err
	}
	if len(about) > memberlist.MetaMaxSize {
		return nil, fmt.Errorf("what %s says of itself takes %d bytes; %d are possible", cfg.Self.Name, len(about), memberlist.MetaMaxSize)
	}
	s := memberlist.DefaultLANConfig()
	s.Name, s.Label = cfg.Self.Name, cfg.Cluster
	s.BindAddr, s.BindPort, s.AdvertisePort = at.IP.String(), at.Port, at.Port
	s.ProbeInterval, s.ProbeTimeout = cfg.Every, cfg.Every*2/3
	s.GossipInterval = cfg.Every / 3
	s.PushPullInterval = 10 * cfg.Every
	s.SuspicionMult, s.SuspicionMaxTimeoutMult = suspicion, 1
	s.AwarenessMaxMultiplier = 2
	s.TCPTimeout = joinPatience
	s.DeadNodeReclaimTime = cfg.Every // by one that was started again elsewhere
	s.Delegate, s.Transport = announcer(about), cfg.Transport
	s.LogOutput, s.Logger = nil, slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug)
	if cfg.Key != nil {
		if len(cfg.Key) < MinKey {
			return nil, fmt.Errorf("the key for gossip has %d bytes; it must have %d or more", len(cfg.Key), MinKey)
		}
		sum := sha256.Sum256(cfg.Key)
		s.SecretKey = sum[:]
	}
	return s, nil
}

// rejoin joins those who are to be found and are not members: whoever has been away,
// or behind a broken network, would never be asked again otherwise.
func (g *Group) rejoin() {
	there := make(map[string]bool)
	g.known.mu.Lock()
	for _, address := range g.known.address {
		there[address] = true
	}
	g.known.mu.Unlock()
	for _, address := range g.cfg.Join {
		host, port, err := net.SplitHostPort(address)
		if err != nil || there[address] {
			continue
		}
		if ips, err := net.LookupHost(host); err == nil && len(ips) > 0 && there[net.JoinHostPort(ips[0], port)] {
			continue
		}
		if _, err := g.list.Join([]string{address}); err != nil {
			g.cfg.Log.Debug("nobody to gossip with", "address", address, "error", err)
		}
	}
}

// Self returns this member.
func (g *Group) Self() Member { return g.cfg.Self }

// Addr is where this member gossips, with the port that was free if 0 was asked for.
func (g *Group) Addr() string { return g.addr }

// Members returns who lives, as far as is known here, by role and name.
func (g *Group) Members() []Member {
	g.known.mu.Lock()
	out := slices.Collect(maps.Values(g.known.members))
	g.known.mu.Unlock()
	slices.SortFunc(out, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Leader returns the supervisor that leads; false: there is none.
func (g *Group) Leader() (Member, bool) { return Leader(g.Members(), time.Now()) }

// Leave says goodbye, so that nobody takes this member for dead, and ends it.
func (g *Group) Leave() error {
	g.stop()
	if err := g.list.Leave(leaveFor); err != nil {
		g.cfg.Log.Debug("say goodbye", "error", err) // nobody is there to hear it
	}
	return g.Close()
}

// Close ends the membership as a crash does: the others find out.
func (g *Group) Close() error {
	g.stop()
	return g.list.Shutdown()
}

// ParseKey returns the key of gossip that a file's text is.
func ParseKey(text []byte) ([]byte, error) {
	key := bytes.TrimSpace(text)
	if len(key) < MinKey {
		return nil, fmt.Errorf("a key for gossip has %d characters or more, this one %d", MinKey, len(key))
	}
	return key, nil
}

// announcer tells others what a member says of itself.
type announcer []byte

func (a announcer) NodeMeta(int) []byte           { return a }
func (announcer) NotifyMsg([]byte)                {}
func (announcer) GetBroadcasts(_, _ int) [][]byte { return nil }
func (announcer) LocalState(bool) []byte          { return nil }
func (announcer) MergeRemoteState([]byte, bool)   {}

// known are the members, as the library tells of them: what it returns when it is
// asked, it changes under the eyes of who reads it.
type known struct {
	log *slog.Logger

	mu      sync.Mutex
	members map[string]Member
	address map[string]string // host:port of gossip
}

// NotifyJoin notes a member that has come, or come back.
func (k *known) NotifyJoin(n *memberlist.Node) {
	k.log.Info("joined", "member", n.Name, "address", n.Address())
	k.NotifyUpdate(n)
}

// NotifyUpdate notes what a member says of itself.
func (k *known) NotifyUpdate(n *memberlist.Node) {
	m := Member{Name: n.Name}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.address[n.Name] = n.Address()
	delete(k.members, n.Name)
	if err := json.Unmarshal(n.Meta, &m); err != nil {
		return
	}
	if host, port, err := net.SplitHostPort(m.HTTP); err == nil && net.ParseIP(host).IsUnspecified() {
		m.HTTP = net.JoinHostPort(n.Addr.String(), port) // it listens everywhere
	}
	k.members[n.Name] = m
}

// NotifyLeave forgets a member.
func (k *known) NotifyLeave(n *memberlist.Node) {
	k.log.Info("gone", "member", n.Name)
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.members, n.Name)
	delete(k.address, n.Name)
}
