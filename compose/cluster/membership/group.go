// Package membership lets the processes of a cluster know each other: who is alive, where
// each one's page is, and who leads. Workers, gateways and supervisors gossip. Each probes
// others repeatedly, so that all know of a death within about two seconds, and nobody needs a
// list of all members.
//
// The leader is the live supervisor of the highest rank. Each member works that out from its
// own view of who is alive. There is no vote, so two supervisors may both think that they
// lead for as long as news takes to spread. That is harmless: leaders do nothing but restart
// processes, and a duplicate worker is refused. A new supervisor first follows the leader it
// finds. It takes over from one of a lower rank once it has lived for a while (Newcomer); so
// a supervisor that dies at each start never leads while another one can.
//
// Supervisors of several hosts each start the nodes of their own; of the supervisors of a host, its leader does.
// The leader of all tells how the cluster is.
//
// Any process shows the state of the whole cluster on its page (Page).
package membership

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"

	"analyzer/compose/cluster/monitor"
	"analyzer/process"

	"github.com/hashicorp/memberlist"
)

// Config says which member joins which cluster, and how.
type Config struct {
	Self    Member
	Cluster string // the cluster's name; members of other clusters are ignored
	// Listen is the host:port for gossip, on a host that others can reach; port 0: any free one.
	// Without a Key it must be an address of this machine alone.
	Listen string
	// Join are addresses of members. Those that cannot be reached are retried forever.
	Join []string
	// Key is the same for all members, and has at least MinKey bytes; nil: gossip is not
	// encrypted, and members show each other no token.
	Key []byte
	// Every is how often a member probes another one; 0: 300 ms.
	Every time.Duration
	// Transport carries gossip; nil: the network. Tests use it to cut connections.
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

// MinKey is the least number of bytes of a gossip key.
const MinKey = 16

const (
	usualEvery = 300 * time.Millisecond
	// suspicion is how many times Every an unresponsive member has to prove that it is alive.
	suspicion    = 4
	rejoinEvery  = time.Second
	leaveFor     = 500 * time.Millisecond
	joinPatience = time.Second
)

// Start joins the members that can be reached, and stays a member until Leave or Close.
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
	if cfg.Key == nil && cfg.Transport == nil && !at.IP.IsLoopback() {
		return nil, fmt.Errorf("listen on %s for gossip: without a key only members on this machine may call; bind 127.0.0.1", cfg.Listen)
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
	s.DeadNodeReclaimTime = cfg.Every // for a member restarted at another address
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

// rejoin joins known members that are not in the group. A member that was away, or cut off by
// a broken network, would otherwise never be contacted again.
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

// Addr is the address for gossip, with the port that was chosen if 0 was asked for.
func (g *Group) Addr() string { return g.addr }

// Members returns the members that are alive, as far as this one knows, by role and name.
func (g *Group) Members() []Member {
	g.known.mu.Lock()
	out := slices.Collect(maps.Values(g.known.members))
	g.known.mu.Unlock()
	slices.SortFunc(out, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Role, b.Role), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Leader returns the leading supervisor; false: there is none.
func (g *Group) Leader() (Member, bool) { return Leader(g.Members(), time.Now()) }

// LeaderOf returns the leading supervisor of a host; false: there is none.
func (g *Group) LeaderOf(host string) (Member, bool) {
	return LeaderOf(g.Members(), host, time.Now())
}

// Leave announces that this member leaves, so that nobody takes it for dead, and ends it.
func (g *Group) Leave() error {
	g.stop()
	if err := g.list.Leave(leaveFor); err != nil {
		g.cfg.Log.Debug("say goodbye", "error", err) // nobody was there to hear it
	}
	return g.Close()
}

// Close ends the membership as a crash would: the others have to find out.
func (g *Group) Close() error {
	g.stop()
	return g.list.Shutdown()
}

// ParseKey returns the gossip key in the text of a file.
func ParseKey(text []byte) ([]byte, error) {
	key := bytes.TrimSpace(text)
	if len(key) < MinKey {
		return nil, fmt.Errorf("a key for gossip has %d characters or more, this one %d", MinKey, len(key))
	}
	return key, nil
}

// Token returns what members that have a gossip key show when they ask each other's pages; "" if
// there is no key. The key cannot be found out from it.
func Token(key []byte) string {
	if key == nil {
		return ""
	}
	mac := hmac.New(sha256.New, key)
	_, _ = mac.Write([]byte("analyzer: pages of members")) // it never fails
	return hex.EncodeToString(mac.Sum(nil))
}

// Asking returns a context with which this member asks pages of others.
func (g *Group) Asking(ctx context.Context) context.Context {
	return monitor.WithToken(ctx, Token(g.cfg.Key))
}

// announcer tells others what a member announces about itself.
type announcer []byte

func (a announcer) NodeMeta(int) []byte           { return a }
func (announcer) NotifyMsg([]byte)                {}
func (announcer) GetBroadcasts(_, _ int) [][]byte { return nil }
func (announcer) LocalState(bool) []byte          { return nil }
func (announcer) MergeRemoteState([]byte, bool)   {}

// known keeps its own copy of the members, as the library reports them: the list that the
// library itself returns may change while it is being read.
type known struct {
	log *slog.Logger

	mu      sync.Mutex
	members map[string]Member
	address map[string]string // host:port of gossip
}

// NotifyJoin records a member that has joined or come back.
func (k *known) NotifyJoin(n *memberlist.Node) {
	k.log.Info("joined", "member", n.Name, "address", n.Address())
	k.NotifyUpdate(n)
}

// NotifyUpdate records what a member announces about itself.
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
		m.HTTP = net.JoinHostPort(n.Addr.String(), port) // members listen on all of their addresses
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
