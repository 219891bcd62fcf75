package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/local"
	"analyzer/compose/cluster/monitor"
	"analyzer/process"
	"analyzer/shuffle/rabbit/node"
)

// clusters starts a new cluster for each run, so that the peaks of its processes are those of
// that run alone, and stops it afterwards. All clusters share one broker, which is started for
// the first run.
type clusters struct {
	config  Config
	node    *node.Node
	claims  process.PortClaims
	version string // of the broker
}

func (c *clusters) close() error {
	err := c.claims.Close()
	if c.node != nil {
		err = errors.Join(err, c.node.Stop())
	}
	return err
}

// ErrNoMachines says that machines of a part of a core cannot be emulated.
var ErrNoMachines = errors.New("no machine can be emulated")

// tryMachine returns an error if there can be no machines.
func tryMachine(cores float64) error {
	m, err := newMachines(1, cores)
	if err != nil {
		return err
	}
	return m.close()
}

// run makes one run of a task through a new cluster.
func (c *clusters) run(ctx context.Context, t Task) (r Run, err error) {
	if c.node == nil {
		c.config.Progress("starting a RabbitMQ node")
		if c.node, err = node.Start(ctx, node.Config{}); err != nil {
			return r, err
		}
		c.version = "RabbitMQ " + c.node.Version()
	}
	if t.Replicas == 0 {
		t.Replicas = runtime.GOMAXPROCS(0)
	}
	var each *machines // nil: all share this one
	if c.config.MachineCores > 0 {
		t.There = true
		if t.Dir, err = filepath.Abs(t.Dir); err != nil {
			return r, err
		}
		if each, err = newMachines(t.Replicas, c.config.MachineCores); err != nil {
			return r, err
		}
		defer func() { err = errors.Join(err, each.close()) }()
	}
	up, err := c.start(ctx, t)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, up.stop()) }()
	if err := resetPeaks(); err != nil {
		return r, err
	}
	before, err := children()
	if err == nil && each != nil {
		err = each.take(before)
	}
	if err != nil {
		return r, err
	}
	t.Gateways, t.Replicas, t.Memory = up.at.Gateways, 0, 0
	t.PagesAt = up.at.Monitors["gateway-0"]
	if r, err = launch(ctx, c.config.Command, t); err != nil {
		return r, errors.Join(err, up.failure())
	}
	after, err := children()
	if err != nil {
		return r, err
	}
	for _, p := range used(before, after) {
		r.Processes = append(r.Processes, p)
		r.CPU += p.CPU
		r.Peak += p.Peak
	}
	return r, up.count(ctx, &r)
}

// runningCluster is a cluster that takes jobs.
type runningCluster struct {
	at     local.Addresses
	cancel context.CancelFunc
	ended  chan error // of local.Up
}

// start starts a cluster and waits until it takes jobs.
func (c *clusters) start(ctx context.Context, t Task) (*runningCluster, error) {
	ports, err := c.claims.Claim(1)
	if err != nil {
		return nil, err
	}
	listen := process.Address(ports[0])
	cfg := local.Config{
		Program: c.config.Command[0], Env: t.env, Workers: t.Replicas, Gateways: c.config.Gateways, Listen: listen, Broker: c.node.URL(),
		Notice: func(text string) { c.config.Progress("cluster: " + text) },
	}
	cfg.WorkerFlags = []string{"--queue-type", c.config.Queues.String()}
	if t.Memory > 0 {
		cfg.WorkerFlags = append(cfg.WorkerFlags, "--memory", strconv.FormatInt(t.Memory, 10))
	}
	cfg.GatewayFlags = cfg.WorkerFlags
	if t.There {
		cfg.Gateways, cfg.GatewayFlags = t.Replicas, append(slices.Clone(cfg.WorkerFlags), "--source", t.Dir)
	}
	probe, err := client.New(client.Config{Gateways: []string{listen}, Patience: time.Second})
	if err != nil {
		return nil, err
	}
	cfg.Probe = probe.Ready
	ready := make(chan local.Addresses, 1)
	cfg.Ready = func(at local.Addresses) { ready <- at }
	ctx, cancel := context.WithCancel(ctx)
	up := &runningCluster{cancel: cancel, ended: make(chan error, 1)}
	go func() { up.ended <- errors.Join(local.Up(ctx, cfg), probe.Close()) }()
	select {
	case up.at = <-ready:
		return up, nil
	case err := <-up.ended:
		cancel()
		return nil, fmt.Errorf("start a cluster of %d workers: %w", t.Replicas, err)
	}
}

// stop stops the cluster and waits for its processes.
func (u *runningCluster) stop() error {
	u.cancel()
	return <-u.ended
}

// failure returns why the cluster ended by itself, nil if it is still running.
func (u *runningCluster) failure() error {
	select {
	case err := <-u.ended:
		u.ended <- nil
		return err
	default:
		return nil
	}
}

// count adds to a run what the cluster's processes count: spill, messages through the broker,
// and the time of stages in workers. The run's stages must already have their names, by number.
func (u *runningCluster) count(ctx context.Context, r *Run) error {
	counters := map[string][]*int64{
		"analyzer_worker_spilled_bytes_total":  {&r.Spilled},
		"analyzer_worker_spill_files_total":    {&r.SpillFiles},
		"analyzer_worker_sent_messages_total":  {&r.Messages},
		"analyzer_gateway_messages_total":      {&r.Messages, &r.Uploaded},
		"analyzer_worker_rows_total":           {&r.Received},
		"analyzer_worker_sent_bytes_total":     {&r.MessageBytes},
		"analyzer_gateway_message_bytes_total": {&r.MessageBytes},
		"analyzer_worker_commit_seconds_count": {&r.Commits},
	}
	for name, address := range u.at.Monitors {
		err := monitor.Read(ctx, address, func(metric, stage string, value float64) {
			for _, counter := range counters[metric] {
				*counter += int64(value)
			}
			switch metric {
			case "analyzer_worker_commit_seconds_sum":
				r.CommitTime += value
			case "analyzer_worker_compute_seconds_total":
				if n, err := strconv.Atoi(stage); err == nil && n < len(r.Stages) {
					r.Stages[n].Time += value
				}
			}
		})
		if err != nil {
			return fmt.Errorf("ask %s what it counted: %w", name, err)
		}
	}
	if r.Messages == 0 || r.MessageBytes == 0 || r.Commits == 0 { // every job has some of each
		return errors.New("the cluster shows no messages or commits: its processes call their metrics otherwise")
	}
	return nil
}
