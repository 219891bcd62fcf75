package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/vfs/fence"
	"analyzer/compose/cluster/failpoint"
	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/page"
	"analyzer/compose/cluster/reader"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
)

// usualGateway is the default address of gateways, for gateways and clients.
const usualGateway = "127.0.0.1:8815"

// doorFlags are the flags about how clients connect.
func (s *serving) doorFlags() []cli.Flag {
	return []cli.Flag{
		settings.Text(&s.listen, flagListen, "listen for clients on `ADDR`, host:port; other machines need --token-file", usualGateway),
		settings.Plain(flagTLSCert, "encrypt, with the certificate chain in the PEM `FILE`", ""),
		settings.Plain(flagTLSKey, "and with the key of the certificate in the PEM `FILE`", ""),
	}
}

func gatewayCommand(p *program) *cli.Command {
	var cfg gateway.Config
	var sources []string
	return &cli.Command{
		Name: "gateway", Usage: "run one gateway of a cluster",
		Description: "A gateway takes uploads from clients and serves answers. It keeps no state: any number of them can\n" +
			"serve the same cluster, and each can end at any time.",
		Flags: slices.Concat([]cli.Flag{
			settings.Into(&cfg.Replicas, parseWorkers, flagReplicas, "run new jobs on `N` workers, starting with worker 0; older jobs keep the workers that they began with", ""),
			p.memoryFlag("the whole process", "half of the machine's"),
			p.spillFlag("the system's"), sourceFlag(&sources),
			settings.Into(&cfg.Drain, settings.Time, "drain", "when it is to end, first serve those who are connected for up to `TIME`, and nobody else", "0s"),
		}, p.doorFlags(), p.memberFlags(), p.serverFlags()),
		Action: p.action(func(c *cli.Context, _ []string) error { return daemon{p}.gateway(c, cfg, sources) }, 0),
	}
}

const flagSource = "source"

func sourceFlag(to *[]string) cli.Flag {
	return settings.List(to, flagSource, "read files below `PLACES` for clients that ask for it (--at): directories, or such as s3://bucket/prefix", "none")
}

func (p daemon) gateway(c *cli.Context, cfg gateway.Config, sources []string) (err error) {
	if err := p.completeGateway(&cfg); err != nil {
		return err
	}
	held, restore := engine.LimitMemory(p.memory)
	defer restore()
	cfg.Memory = min(max(held, leastHeld), mostHeld)
	metrics := new(gateway.Metrics)
	v, err := p.openServer(membership.Gateway, metrics.Each)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	cfg.Queues, cfg.Tokens = p.queues, v.tokens
	var g *gateway.Gateway
	if len(sources) > 0 {
		r, end, err := p.newReader(sources, func() *gateway.Gateway { return g }, cfg)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, end()) }()
		cfg.Reader = r
	}
	g, err = gateway.New(cfg, v.broker, v.log, metrics)
	if err != nil {
		return err
	}
	if v.monitor != nil {
		shown, err := showPage(v, g, cfg)
		if err != nil {
			return err
		}
		defer context.AfterFunc(c.Context, shown.Stop)()
		defer func() { err = errors.Join(err, shown.Close()) }()
	}
	lis, err := net.Listen("tcp", p.listen)
	if err != nil {
		return p.cannotListen(flagListen, fmt.Errorf("listen for clients: %w", err))
	}
	defer context.AfterFunc(c.Context, func() { v.leaving.Store(true) })()
	v.log.Info("listen for clients", "address", lis.Addr().String(), "tls", cfg.TLS != nil, "tokens", cfg.Tokens != nil)
	return served(c.Context, g.Run(c.Context, lis))
}

// newReader returns what reads files below sources for clients of a gateway, until end is called.
func (p daemon) newReader(sources []string, of func() *gateway.Gateway, cfg gateway.Config) (r *reader.Reader, end func() error, err error) {
	below, err := fence.Open(sources, p.fs)
	if err != nil {
		return nil, nil, p.settings.Wrong(flagSource, "%w", err)
	}
	r, err = reader.New(reader.Config{
		Sources: below, Gateway: of, Memory: cfg.Memory, Own: cfg.FS, SpillDir: cfg.SpillDir, Owners: cfg.Tokens != nil, Crash: cfg.Crash,
	})
	if err != nil {
		return nil, nil, errors.Join(err, below.Close())
	}
	return r, func() error { return errors.Join(r.Close(), below.Close()) }, nil
}

// showPage serves a gateway's page at the address of its health and metrics.
func showPage(v *server, g *gateway.Gateway, cfg gateway.Config) (*page.Page, error) {
	about := page.Config{Dial: g.Dial, Enter: v.monitor.Enter, Workers: cfg.Replicas, Memory: cfg.Memory, Files: cfg.FS, Dir: cfg.SpillDir, Log: v.log}
	if cfg.Tokens != nil {
		about.Owner = gateway.OwnerOf
	}
	if v.group != nil {
		about.Load = func(ctx context.Context) load.Report { return load.OfGroup(ctx, v.group, nil) }
	}
	p, err := page.New(about)
	if err == nil {
		v.monitor.Handle("/", p)
		v.monitor.Complete()
	}
	return p, err
}

// Bounds on the bytes of batches between their receipt and the broker's confirmation. The
// least is a few batches; a longer batch is admitted alone.
const (
	leastHeld = 8 << 20
	mostHeld  = 512 << 20
)

// completeGateway adds settings that come from files and the environment.
func (p daemon) completeGateway(cfg *gateway.Config) (err error) {
	if err := p.settings.Need("Next: say how many workers are to run new jobs: --replicas N.", flagReplicas); err != nil {
		return err
	}
	cfg.FS, cfg.SpillDir = p.own, p.spillDir
	if cfg.TLS, err = p.serverTLS(); err != nil {
		return err
	}
	cfg.Crash, err = failpoint.Parse(os.Getenv(failpoint.Variable), append(gateway.Points(), gateway.ReadingPoints()...))
	return err
}

// serverTLS reads certificate and key; nil if none are given.
func (p *program) serverTLS() (*tls.Config, error) {
	if !p.settings.Has(flagTLSCert) && !p.settings.Has(flagTLSKey) {
		return nil, nil
	}
	if !p.settings.Has(flagTLSCert) || !p.settings.Has(flagTLSKey) {
		return nil, fault.WrongUsage("Next: give both, or none.", "--%s and --%s belong together", flagTLSCert, flagTLSKey)
	}
	certFile, cert, err := p.fileOf(flagTLSCert)
	if err != nil {
		return nil, err
	}
	keyFile, key, err := p.fileOf(flagTLSKey)
	if err != nil {
		return nil, err
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, certFile.Wrong("%s and %s: %w", certFile.Text, keyFile.Text, err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
}
