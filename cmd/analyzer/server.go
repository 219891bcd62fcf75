package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/session/fault"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit"
)

// Names of flags that messages are about.
const (
	flagBroker    = "broker"
	flagQueueType = "queue-type"
	flagHTTP      = "http"
	flagLogLevel  = "log-level"
	flagState     = "state"
	flagListen    = "listen"
	flagTLSCert   = "tls-cert"
	flagTLSKey    = "tls-key"
	flagName      = "name"
	flagGossip    = "gossip"
	flagGossipKey = "gossip-key"
)

// serving is what the flags say that several processes of a cluster have.
type serving struct {
	queues        broker.Kind
	http, listen  string
	logFormat     string
	logLevel      slog.Level
	name, cluster string
	join          []string
	gossip        string
}

// usualServing is what counts where no flag says otherwise.
func usualServing() serving {
	return serving{queues: broker.Classic, listen: usualGateway, logFormat: "text", gossip: "127.0.0.1:0"}
}

// maxSecret bounds a file that holds tokens or certificates.
const maxSecret = 1 << 20

func queueTypeFlag(to *broker.Kind) cli.Flag {
	return settings.Into(to, broker.ParseKind, flagQueueType, "`TYPE` of the queues: classic, or quorum on a broker of several nodes", "classic").
		Proposing("classic", "quorum")
}

func brokerFlag() cli.Flag {
	return settings.Plain(flagBroker, "use the RabbitMQ broker at `URL`, amqp://user:password@host:port; set ANALYZER_BROKER instead to keep the password out of the list of processes", "")
}

func (s *serving) httpFlag(usage, usual string) cli.Flag {
	return settings.Text(&s.http, flagHTTP, usage, usual)
}

// serverFlags are those of every process that serves.
func (s *serving) serverFlags() []cli.Flag {
	return append([]cli.Flag{
		brokerFlag(), queueTypeFlag(&s.queues), tokenFlag(""),
		s.httpFlag("serve /healthz, /readyz, /metrics and, with --join, /cluster and /load on `ADDR`; of a gateway, a page to look at jobs as well", "none"),
	}, s.logFlags()...)
}

func (s *serving) logFlags() []cli.Flag {
	return []cli.Flag{
		settings.OneOf(&s.logFormat, "format", []string{"text", "json"}, "log-format", "log as `FORMAT`: text or json", "text"),
		s.logLevelFlag(),
		settings.ConfigFlag(),
	}
}

func (s *serving) logLevelFlag() cli.Flag {
	return settings.Into(&s.logLevel, parseLevel, flagLogLevel, "log at `LEVEL` and above: debug, info, warn or error", "info").
		Proposing("debug", "info", "warn", "error")
}

func parseLevel(text string) (level slog.Level, err error) {
	if level.UnmarshalText([]byte(text)) != nil {
		err = fmt.Errorf("there is no level %q; there are debug, info, warn, error", text)
	}
	return level, err
}

// memberFlags are those of every process that gossips.
func (s *serving) memberFlags() []cli.Flag {
	return []cli.Flag{
		settings.Text(&s.name, flagName, "call this process `NAME` in the cluster", ""),
		settings.Text(&s.cluster, "cluster", "belong to the cluster `NAME`, and refuse members of others", "any"),
		settings.List(&s.join, "join", "join the cluster of which some members gossip at `ADDRS`, host:port,host:port", "none"),
		settings.Text(&s.gossip, flagGossip, "gossip on `ADDR`, host:port; other machines need --gossip-key", "a free port of 127.0.0.1"),
		settings.Plain(flagGossipKey, "encrypt gossip with the key in `FILE`, 16 characters or more, which all must have; by it they may also ask each other", "not at all"),
	}
}

// server is what the processes that serve have in common.
type server struct {
	log      *slog.Logger
	broker   *rabbit.Broker
	counters *broker.Counters
	monitor  *monitor.Server   // nil: none
	group    *membership.Group // nil: it knows of nobody
	leaving  atomic.Bool       // it is about to end

	tokens     *gateway.Tokens // nil: there are none
	stopTokens func()
}

// daemon is what the commands share whose processes serve until they are asked to end.
type daemon struct{ *program }

// openServer connects to the broker without waiting for it, and serves health and metrics.
// The caller closes it.
func (p daemon) openServer(role membership.Role, metrics monitor.Source, attributes ...any) (v *server, err error) {
	if err := needUnix(runtime.GOOS, name+" "+string(role)); err != nil {
		return nil, err
	}
	v = &server{counters: new(broker.Counters), log: p.newLog().With(attributes...), stopTokens: func() {}}
	url, ok := p.settings.One(flagBroker)
	if !ok {
		return nil, fault.WrongUsage("Next: add --broker amqp://user:password@host:5672, or set ANALYZER_BROKER.", "the broker is missing")
	}
	cfg := rabbit.Config{URL: url.Text, Name: "analyzer " + string(role), Log: v.log, Counters: v.counters}
	if v.broker, err = rabbit.Open(cfg); err != nil {
		return nil, url.Wrong("%w", err)
	}
	if v.tokens, v.stopTokens, err = p.openTokens(v.log); err != nil {
		return nil, errors.Join(err, v.close())
	}
	if p.http != "" {
		if err := p.openMonitor(v, role, metrics); err != nil {
			return nil, errors.Join(err, v.close())
		}
	}
	v.log.Info("start", "version", version(), "broker", rabbit.Address(url.Text))
	if len(p.join) > 0 {
		if err := p.settings.Need("Next: add --name NAME, which no other process of the cluster has.", flagName); err != nil {
			return nil, errors.Join(err, v.close())
		}
		if v.group, err = p.joinGroup(membership.Member{Role: role}, v.monitor, v.log); err != nil {
			return nil, errors.Join(err, v.close())
		}
		if v.monitor != nil {
			show(v.monitor, v.group, nil)
		}
	}
	if v.monitor != nil && role != membership.Gateway { // which has a page as well
		v.monitor.Complete()
	}
	return v, nil
}

// openMonitor serves health and metrics.
func (p daemon) openMonitor(v *server, role membership.Role, metrics monitor.Source) error {
	secure, err := p.serverTLS() // of a gateway
	if err != nil {
		return err
	}
	key, err := p.gossipKey()
	if err != nil {
		return err
	}
	door := doorOf(v.tokens)
	door.TLS = secure != nil
	v.monitor, err = monitor.Start(p.http, monitor.Config{
		Ready: v.ready, TLS: secure, Door: door, Member: membership.Token(key), Log: v.log,
		Metrics: []monitor.Collector{monitor.Collect(string(role), metrics), monitor.Collect(brokerSubsystem, v.brokerMetrics)},
	})
	if err != nil {
		return p.cannotListen(flagHTTP, err)
	}
	v.log.Info("health and metrics", "address", v.monitor.Addr())
	return nil
}

// cannotListen blames the flag for an address, if it was given.
func (p daemon) cannotListen(flag string, err error) error {
	if v, ok := p.settings.One(flag); ok {
		return v.Wrong("%w", err)
	}
	return err
}

// joinGroup makes a process a member of the cluster.
func (p daemon) joinGroup(self membership.Member, page *monitor.Server, log *slog.Logger) (*membership.Group, error) {
	self.Name, self.PID, self.Since = p.name, os.Getpid(), p.began
	if page != nil {
		self.HTTP = page.Addr()
	}
	cfg := membership.Config{Self: self, Cluster: p.cluster, Listen: p.gossip, Join: p.join, Log: log}
	var err error
	if cfg.Key, err = p.gossipKey(); err != nil {
		return nil, err
	}
	group, err := membership.Start(cfg)
	if err != nil {
		return nil, p.cannotListen(flagGossip, err)
	}
	return group, nil
}

// gossipKey reads the key that all members have; nil: there is none.
func (p daemon) gossipKey() ([]byte, error) {
	file, text, err := p.fileOf(flagGossipKey)
	if text == nil {
		return nil, err
	}
	key, err := membership.ParseKey(text)
	if err != nil {
		return nil, file.Wrong("%s: %w", file.Text, err)
	}
	return key, nil
}

// show shows how the cluster is, and what it does, on the page of a member. own is what
// a supervisor knows.
func show(page *monitor.Server, group *membership.Group, own func() (membership.Report, bool)) {
	page.HandleInside("GET "+membership.PagePath, group.Page(own))
	page.HandleInside("GET "+load.Path, load.Page(group, own))
}

func (v *server) ready() error {
	if v.leaving.Load() {
		return errors.New("it is about to end")
	}
	if state := v.broker.State(); state != broker.Connected {
		return fmt.Errorf("the broker is %s", state)
	}
	return nil
}

const brokerSubsystem = "broker" // in names of metrics

// brokerMetrics shows the traffic with the broker.
func (v *server) brokerMetrics(show func(monitor.Metric)) {
	showBroker(v.counters, v.broker.State(), show)
}

func showBroker(counters *broker.Counters, state broker.State, show func(monitor.Metric)) {
	monitor.Fields(counters, "", show)
	show(monitor.Metric{Name: "state", Help: "How the broker is: 0 away, 1 connected, 2 short of memory, 3 of disk.", Value: float64(state)})
}

func (v *server) close() error {
	var err error
	if v.group != nil {
		err = v.group.Leave()
	}
	err = errors.Join(err, v.broker.Close())
	if v.monitor != nil {
		err = errors.Join(err, v.monitor.Close())
	}
	v.stopTokens()
	v.log.Info("end")
	return err
}

// served returns the error of a server that has run: nil if it was asked to end, even if it
// had done no more than wait.
func served(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return nil
	}
	return err
}

func (p daemon) newLog() *slog.Logger {
	options := &slog.HandlerOptions{Level: p.logLevel}
	if p.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(p.stderr, options))
	}
	return slog.New(slog.NewTextHandler(p.stderr, options))
}

// fileOf reads the file that a flag names; text is nil if it names none.
func (p *program) fileOf(flag string) (v settings.Value, text []byte, err error) {
	v, given := p.settings.One(flag)
	if !given {
		return v, nil, nil
	}
	f, err := p.fs.Open(v.Text)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, maxSecret+1))
		err = errors.Join(err, f.Close())
	}
	if err == nil && len(text) > maxSecret {
		err = fmt.Errorf("%s has more than %d bytes", v.Text, maxSecret)
	}
	if err != nil {
		return v, nil, v.Wrong("%w", err)
	}
	return v, text, nil
}
