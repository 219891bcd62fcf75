package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit"
)

// Names of flags that the commands of a cluster's processes have.
const (
	flagBroker    = "broker"
	flagQueueType = "queue-type"
	flagHTTP      = "http"
	flagLogFormat = "log-format"
	flagLogLevel  = "log-level"
	flagState     = "state"
	flagListen    = "listen"
	flagTLSCert   = "tls-cert"
	flagTLSKey    = "tls-key"
	flagTokenFile = "token-file"
	flagCluster   = "cluster"
	flagName      = "name"
	flagJoin      = "join"
	flagGossip    = "gossip"
	flagGossipKey = "gossip-key"
)

// maxSecret bounds a file that holds tokens or certificates.
const maxSecret = 1 << 20

func queueTypeFlag() cli.Flag {
	return &cli.StringFlag{Name: flagQueueType, Usage: "`TYPE` of the queues: classic, or quorum on a broker of several nodes", DefaultText: "classic"}
}

func brokerFlag() cli.Flag {
	return &cli.StringFlag{Name: flagBroker, Usage: "use the RabbitMQ broker at `URL`, amqp://user:password@host:port; set ANALYZER_BROKER instead to keep the password out of the list of processes"}
}

// serverFlags are those of every process that serves.
func serverFlags() []cli.Flag {
	return append([]cli.Flag{
		brokerFlag(), queueTypeFlag(),
		&cli.StringFlag{Name: flagHTTP, Usage: "serve /healthz, /readyz, /metrics and, with --join, /cluster and /load on `ADDR`; of a gateway, a page to look at jobs as well", DefaultText: "none"},
	}, logFlags()...)
}

func logFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagLogFormat, Usage: "log as `FORMAT`: text or json", DefaultText: "text"},
		logLevelFlag(),
		configFlag(),
	}
}

func logLevelFlag() cli.Flag {
	return &cli.StringFlag{Name: flagLogLevel, Usage: "log from `LEVEL` on: debug, info, warn or error", DefaultText: "info"}
}

// memberFlags are those of every process that gossips.
func memberFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagName, Usage: "be called `NAME` in the cluster"},
		&cli.StringFlag{Name: flagCluster, Usage: "belong to the cluster `NAME`, and refuse what is another's", DefaultText: "any"},
		&cli.StringSliceFlag{Name: flagJoin, Usage: "know the other processes of the cluster, of which some gossip at `ADDRS`, host:port,host:port", DefaultText: "nobody"},
		&cli.StringFlag{Name: flagGossip, Usage: "gossip on `ADDR`, host:port; other machines need a host of this one", DefaultText: "a free port of 127.0.0.1"},
		&cli.StringFlag{Name: flagGossipKey, Usage: "encrypt gossip with the key in `FILE`, 16 characters or more, which all must have", DefaultText: "not at all"},
	}
}

// server is what the processes that serve have in common.
type server struct {
	log      *slog.Logger
	kind     broker.Kind
	broker   *rabbit.Broker
	counters *broker.Counters
	monitor  *monitor.Server   // nil: none
	group    *membership.Group // nil: it knows of nobody
}

// openServer connects to the broker, which it does not wait for, and shows health
// and metrics. The caller closes it.
func (p *program) openServer(s *settings.Settings, role membership.Role, metrics monitor.Source, attributes ...any) (v *server, err error) {
	v = &server{counters: new(broker.Counters)}
	if v.log, err = newLog(p.stderr, s); err != nil {
		return nil, err
	}
	v.log = v.log.With(attributes...)
	if v.kind, err = settings.Parse(s, flagQueueType, broker.Classic, broker.ParseKind); err != nil {
		return nil, err
	}
	url, ok := s.One(flagBroker)
	if !ok {
		return nil, exit.WrongUsage("Next: add --broker amqp://user:password@host:5672, or set ANALYZER_BROKER.", "the broker is missing")
	}
	cfg := rabbit.Config{URL: url.Text, Name: "analyzer " + string(role), Log: v.log, Counters: v.counters}
	if v.broker, err = rabbit.Open(cfg); err != nil {
		return nil, url.Wrong("%w", err)
	}
	if addr := s.Text(flagHTTP); addr != "" {
		secure, err := p.serverTLS(s) // of a gateway
		if err != nil {
			return nil, errors.Join(err, v.broker.Close())
		}
		v.monitor, err = monitor.Start(addr, monitor.Config{
			Ready: v.ready, TLS: secure, Log: v.log,
			Metrics: []monitor.Collector{monitor.Collect(string(role), metrics), monitor.Collect("broker", v.brokerMetrics)},
		})
		if err != nil {
			return nil, errors.Join(cannotListen(s, flagHTTP, err), v.broker.Close())
		}
		v.log.Info("health and metrics", "address", v.monitor.Addr())
	}
	v.log.Info("start", "version", version(), "broker", rabbit.Address(url.Text))
	if _, ok := s.One(flagJoin); ok {
		self := membership.Member{Name: s.Text(flagName), Role: role}
		if self.Name == "" {
			return nil, errors.Join(exit.WrongUsage("Next: add --name NAME, which no other process of the cluster has.", "--%s is missing", flagName), v.close())
		}
		if v.group, err = p.join(s, self, v.monitor, v.log); err != nil {
			return nil, errors.Join(err, v.close())
		}
		if v.monitor != nil {
			show(v.monitor, v.group, nil)
		}
	}
	return v, nil
}

// cannotListen says that it is the flag which is wrong, if that was given.
func cannotListen(s *settings.Settings, flag string, err error) error {
	if v, ok := s.One(flag); ok {
		return v.Wrong("%w", err)
	}
	return err
}

// join makes a process a member of the cluster.
func (p *program) join(s *settings.Settings, self membership.Member, page *monitor.Server, log *slog.Logger) (*membership.Group, error) {
	self.PID, self.Since = os.Getpid(), p.began
	if page != nil {
		self.HTTP = page.Addr()
	}
	cfg := membership.Config{
		Self: self, Cluster: s.Text(flagCluster), Listen: cmp.Or(s.Text(flagGossip), usualGossip), Join: s.List(flagJoin), Log: log,
	}
	if file, ok := s.One(flagGossipKey); ok {
		text, err := p.readSmall(file)
		if err != nil {
			return nil, err
		}
		if cfg.Key, err = membership.ParseKey(text); err != nil {
			return nil, file.Wrong("%s: %w", file.Text, err)
		}
	}
	return membership.Start(cfg)
}

// usualGossip is where processes gossip that know nothing better.
const usualGossip = "127.0.0.1:0"

// show shows how the cluster is, and what it does, on the page of a member. own is what
// a supervisor knows.
func show(page *monitor.Server, group *membership.Group, own func() (membership.Report, bool)) {
	page.Handle("GET "+membership.PagePath, group.Page(own))
	page.Handle("GET "+load.Path, load.Page(group, own))
}

func (v *server) ready() error {
	if state := v.broker.State(); state != broker.Connected {
		return fmt.Errorf("the broker is %s", state)
	}
	return nil
}

// brokerMetrics tells what went to and came from the broker.
func (v *server) brokerMetrics(show func(monitor.Metric)) {
	monitor.Fields(v.counters, "", show)
	show(monitor.Metric{Name: "state", Help: "How the broker is: 0 away, 1 connected, 2 short of memory, 3 of disk.", Value: float64(v.broker.State())})
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
	v.log.Info("end")
	return err
}

// served returns what a server that ran has failed with: nothing if it was asked
// to end, and could not yet do more than wait.
func served(ctx context.Context, err error) error {
	if ctx.Err() != nil && (errors.Is(err, ctx.Err()) || errors.Is(err, context.Cause(ctx))) {
		return nil
	}
	return err
}

func newLog(w io.Writer, s *settings.Settings) (*slog.Logger, error) {
	level, err := settings.Parse(s, flagLogLevel, slog.LevelInfo, func(text string) (level slog.Level, err error) {
		if level.UnmarshalText([]byte(text)) != nil {
			err = fmt.Errorf("there is no level %q; there are debug, info, warn, error", text)
		}
		return level, err
	})
	if err != nil {
		return nil, err
	}
	format, err := settings.Parse(s, flagLogFormat, "text", settings.OneOf("format", "text", "json"))
	options := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, options)), err
	}
	return slog.New(slog.NewTextHandler(w, options)), err
}

// readSmall reads the file that a flag names.
func (p *program) readSmall(v settings.Value) (text []byte, err error) {
	f, err := p.fs.Open(v.Text)
	if err == nil {
		text, err = io.ReadAll(io.LimitReader(f, maxSecret+1))
		err = errors.Join(err, f.Close())
	}
	if err == nil && len(text) > maxSecret {
		err = fmt.Errorf("%s has more than %d bytes", v.Text, maxSecret)
	}
	if err != nil {
		return nil, v.Wrong("%w", err)
	}
	return text, nil
}
