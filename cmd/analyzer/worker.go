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

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/size"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/failpoint"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/worker"
	"analyzer/compose/engine"
	"analyzer/compose/session/fault"
	"analyzer/shuffle/broker"
)

// Names of flags that messages are about.
const (
	flagReplica        = "replica"
	flagPrefetch       = "prefetch"
	flagCommitBytes    = "commit-bytes"
	flagCommitInterval = "commit-interval"
	flagJobQuota       = "job-quota"
	flagMaxJobs        = "max-jobs"
	flagMaxClientJobs  = "max-client-jobs"
)

func workerCommand(p *program) *cli.Command {
	cfg := worker.Config{Remember: 24 * time.Hour}
	return &cli.Command{
		Name: "worker", Usage: "run one worker of a cluster",
		Description: "A worker holds the state of jobs: what is joined, grouped and sorted. On SIGTERM it ends once all\n" +
			"that it has received is on disk; started again on the same --state, it continues.",
		Flags: slices.Concat([]cli.Flag{
			settings.Into(&cfg.Replica, parseReplica, flagReplica, "be worker `I` of the cluster, from 0", ""),
			// Only gateways decide how many workers take part in a job. The hidden flag keeps
			// old commands working, from when workers were told as well.
			&cli.StringFlag{Name: flagReplicas, Hidden: true},
			settings.Text(&cfg.State, flagState, "keep state in `DIR`, which no other worker uses", ""),
			p.memoryFlag("the whole process", "half of the machine's"),
			p.spillFlag("below --state"),
			settings.Into(&cfg.Remember, settings.Time, "remember", "remember ended jobs for `TIME`", "24h"),
			jobQuotaFlag(&cfg.Quota),
		}, boundFlags(&cfg.Bounds), commitFlags(&cfg.Commit), p.memberFlags(), p.serverFlags()),
		Action: p.action(func(c *cli.Context, _ []string) error { return daemon{p}.worker(c, cfg) }, 0),
	}
}

func jobQuotaFlag(to *int64) cli.Flag {
	return settings.Into(to, parseCommitBytes, flagJobQuota, "fail a job that takes more than `SIZE` of the disk of --state, such as 20GiB", "half of it, of a job that stays open")
}

// boundFlags say how many jobs there may be.
func boundFlags(to *worker.Bounds) []cli.Flag {
	return []cli.Flag{
		settings.Into(&to.All, settings.Number("jobs", 1, mostJobs), flagMaxJobs, "refuse jobs beyond `N` at a time; each takes the broker 40 KB for every worker", "10000"),
		settings.Into(&to.Owned, settings.Number("jobs", 1, mostJobs), flagMaxClientJobs, "refuse jobs beyond `N` of one client with a token", "1000"),
	}
}

// mostJobs is beyond what a broker has been tried with.
const mostJobs = 1_000_000

// commitFlags say how much received data workers commit together.
func commitFlags(to *worker.GroupCommit) []cli.Flag {
	return []cli.Flag{
		settings.Into(&to.Prefetch, settings.Number("messages", 1, broker.MaxPrefetch), flagPrefetch, "let the broker send `N` messages of a job ahead, and commit after half of them: more where the broker is far or the disk slow to sync, fewer where memory is short", "32 to 256, by --memory"),
		settings.Into(&to.Bytes, parseCommitBytes, flagCommitBytes, "commit what was received when it reaches `SIZE`: more for larger writes, less where memory is short", "4MiB"),
		settings.Into(&to.Interval, settings.Time, flagCommitInterval, "commit it after `TIME`, give or take 50ms: longer for fewer writes, shorter so that less is sent again after a crash", "200ms"),
	}
}

func parseCommitBytes(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && n < 1 {
		err = fmt.Errorf("%s is too little: give 1 or more, such as 4MiB", text)
	}
	return n, err
}

func (p daemon) worker(c *cli.Context, cfg worker.Config) (err error) {
	if err := p.settings.Need("Next: analyzer worker --replica 0 --state DIR --broker URL", flagReplica, flagState); err != nil {
		return err
	}
	if cfg.Crash, err = failpoint.Parse(os.Getenv(failpoint.Variable), worker.Points()); err != nil {
		return err
	}
	state, restore := engine.LimitMemory(p.memory)
	defer restore()
	cfg.Memory, cfg.TellCrash = state, vfs.CrashOutput
	cfg.Commit.Prefetch = cmp.Or(cfg.Commit.Prefetch, prefetch(state))
	cfg.Cluster, cfg.SpillDir, cfg.Queues = p.cluster, p.spillDir, p.queues
	cfg.Reserve, cfg.OpenQuota = reserve, diskSize(cfg.State)/2
	metrics := new(worker.Metrics)
	v, err := p.openServer(membership.Worker, metrics.Each, "replica", cfg.Replica)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, v.close()) }()
	err = served(c.Context, worker.New(cfg, v.broker, worker.CrashFS(p.own, cfg.Crash), v.log, metrics).Run(c.Context))
	if errors.Is(err, worker.ErrSecond) {
		return fault.Failure("Next: end the other one, or give this one another --replica.", err)
	}
	if errors.Is(err, worker.ErrState) {
		return fault.Failure("Next: name another directory with --state, or mend this one.", err)
	}
	return err
}

func parseReplica(text string) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= protocol.MaxReplicas {
		return 0, fmt.Errorf("there is no worker %q; they are numbered from 0 to %d", text, protocol.MaxReplicas-1)
	}
	return n, nil
}

// Bounds and memory for the default number of messages that the broker sends ahead.
const (
	leastPrefetch   = 32
	mostPrefetch    = 256
	prefetchedBytes = 4 << 20 // of state for each
)

// reserve is disk space that a worker keeps free so that it can end a job when the disk is
// full: more than the largest state of a job, not counting rows.
const reserve = 8 << 20

func prefetch(state int64) int {
	return int(min(max(state/prefetchedBytes, leastPrefetch), mostPrefetch))
}
