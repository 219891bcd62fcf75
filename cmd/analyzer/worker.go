package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/cmd/analyzer/internal/size"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/failpoint"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/engine"
	"analyzer/shuffle/broker"
)

const (
	flagReplica        = "replica"
	flagRemember       = "remember"
	flagPrefetch       = "prefetch"
	flagCommitBytes    = "commit-bytes"
	flagCommitInterval = "commit-interval"
	flagJobQuota       = "job-quota"
)

func (p *program) workerCommand() *cli.Command {
	return &cli.Command{
		Name: "worker", Usage: "run one worker of a cluster",
		Description: "A worker holds the state of jobs: what is joined, grouped and sorted. It ends on SIGTERM when what it\n" +
			"has taken in is on disk; started again on the same --state, it goes on.",
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: flagReplica, Usage: "be worker `I` of the cluster, from 0"},
			// Gateways alone decide how many workers take part in a job. What started
			// workers while those were told as well goes on working.
			&cli.StringFlag{Name: flagReplicas, Hidden: true},
			&cli.StringFlag{Name: flagState, Usage: "keep state in `DIR`, which no other worker uses"},
			&cli.StringFlag{Name: flagMemory, Usage: "keep the whole process near `SIZE`, such as 256MiB", DefaultText: "half of the machine's"},
			&cli.StringFlag{Name: flagSpillDir, Usage: "put what does not fit into memory below `DIR`", DefaultText: "below --state"},
			&cli.StringFlag{Name: flagRemember, Usage: "know of ended jobs for `TIME`", DefaultText: "24h"},
			jobQuotaFlag(),
		}, slices.Concat(commitFlags(), memberFlags(), serverFlags())...),
		Action: p.worker,
	}
}

func jobQuotaFlag() cli.Flag {
	return &cli.StringFlag{Name: flagJobQuota, Usage: "fail a job that takes more than `SIZE` of the disk of --state, such as 20GiB", DefaultText: "half of it, of a job that stays open"}
}

// commitFlags say how much of what workers receive they write down together.
func commitFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: flagPrefetch, Usage: "let the broker send `N` messages of a job ahead, of which half make a commit: more where the broker is far or the disk slow to sync, fewer where memory is short", DefaultText: "32 to 256, by --memory"},
		&cli.StringFlag{Name: flagCommitBytes, Usage: "write down what was received when it is `SIZE`: more for larger writes, less where memory is short", DefaultText: "4MiB"},
		&cli.StringFlag{Name: flagCommitInterval, Usage: "write it down after `TIME`, to 50ms: longer for fewer writes, shorter so that less is sent again after a crash", DefaultText: "200ms"},
	}
}

// groupCommit reads commitFlags; what is not said is 0.
func groupCommit(s *settings.Settings) (g worker.GroupCommit, err error) {
	return g, s.Read(
		settings.Into(&g.Prefetch, flagPrefetch, settings.Number("messages", 1, broker.MaxPrefetch)),
		settings.Into(&g.Bytes, flagCommitBytes, parseCommitBytes),
		settings.Into(&g.Interval, flagCommitInterval, settings.Time),
	)
}

func parseCommitBytes(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && n < 1 {
		err = fmt.Errorf("%s is too little: give 1 or more, such as 4MiB", text)
	}
	return n, err
}

func (p *program) worker(c *cli.Context) (err error) {
	_, s, err := p.begin(c, 0)
	if err != nil {
		return err
	}
	cfg, err := workerConfig(s)
	if err != nil {
		return err
	}
	memory, err := settings.Parse(s, flagMemory, 0, parseMemory)
	if err != nil {
		return err
	}
	state, restore := engine.LimitMemory(memory)
	defer restore()
	cfg.Memory, cfg.TellCrash = state, vfs.CrashOutput
	cfg.Commit.Prefetch = cmp.Or(cfg.Commit.Prefetch, prefetch(state))
	cfg.Reserve = reserve
	metrics := new(worker.Metrics)
	v, err := p.openServer(s, membership.Worker, metrics.Each, "replica", cfg.Replica)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	cfg.Queues = v.kind
	err = served(c.Context, worker.New(cfg, v.broker, worker.CrashFS(p.fs, cfg.Crash), v.log, metrics).Run(c.Context))
	if errors.Is(err, worker.ErrSecond) {
		return exit.Failure("Next: end the other one, or give this one another --replica.", err)
	}
	if errors.Is(err, worker.ErrState) {
		return exit.Failure("Next: name another directory with --state, or mend this one.", err)
	}
	return err
}

// workerConfig reads what does not depend on the machine.
func workerConfig(s *settings.Settings) (cfg worker.Config, err error) {
	for _, required := range []string{flagReplica, flagState} {
		if _, ok := s.One(required); !ok {
			return cfg, exit.WrongUsage("Next: analyzer worker --replica 0 --state DIR --broker URL", "--%s is missing", required)
		}
	}
	if cfg.Commit, err = groupCommit(s); err != nil {
		return cfg, err
	}
	cfg.Remember = 24 * time.Hour
	if err := s.Read(
		settings.Into(&cfg.Replica, flagReplica, parseReplica),
		settings.Into(&cfg.Remember, flagRemember, settings.Time),
		settings.Into(&cfg.Quota, flagJobQuota, parseCommitBytes),
	); err != nil {
		return cfg, err
	}
	cfg.OpenQuota = diskSize(s.Text(flagState)) / 2
	cfg.Cluster, cfg.State, cfg.SpillDir = s.Text(flagCluster), s.Text(flagState), s.Text(flagSpillDir)
	cfg.Crash, err = failpoint.Parse(os.Getenv(failpoint.Variable), worker.Points())
	return cfg, err
}

func parseReplica(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= protocol.MaxReplicas {
		return 0, fmt.Errorf("there is no worker %q; they are numbered from 0 to %d", text, protocol.MaxReplicas-1)
	}
	return n, nil
}

// Messages that the broker sends ahead, by the memory there is, where nobody says.
const (
	leastPrefetch   = 32
	mostPrefetch    = 256
	prefetchedBytes = 4 << 20 // of state for each
)

// reserve is what a worker keeps back of its disk so that a job can be ended when
// that is full: more than the largest state of a job but for its rows.
const reserve = 8 << 20

func prefetch(state int64) int {
	return int(min(max(state/prefetchedBytes, leastPrefetch), mostPrefetch))
}
