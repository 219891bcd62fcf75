package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/size"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
)

const flagResume = "resume"

const usualTTL = 24 * time.Hour

func submitCommand(p *program) *cli.Command {
	u := &submission{runner: runner{p}, record: p.newRecord()}
	return &cli.Command{
		Name: "submit", Usage: "answer the queries of a data set on a cluster", ArgsUsage: "DATASET [DIR]",
		Description: "Streams the tables of DATASET in DIR to a cluster and writes the same answers as run does: with --output\n" +
			"each into a file as soon as it is ready, else in the order of the queries. It prints the number of the job\n" +
			"first, on the standard error. Interrupted, it cancels the job; after it was killed or lost its connection,\n" +
			"“submit --resume JOB” continues where it was.",
		Flags: slices.Concat(p.answerFlags(), p.followFlags(), []cli.Flag{
			p.tableFlag(), p.uniqueFlag(),
			settings.Text(&p.spillDir, flagSpillDir, "put copies of pipes below `DIR`", "the system's"),
			p.maxRejectsFlag(), p.summaryFlag(), p.quietFlag(),
			p.blockSizeFlag(), p.atFlag(),
			settings.Into(&u.flags.ttl, parseTTL, "job-ttl", "end the job when no client has asked about it for `TIME`", usualTTL.String()),
			settings.Switch(&u.flags.detach, "detach", "return once the tables are uploaded; never cancel the job"),
			settings.Switch(&u.flags.keep, flagKeep, "keep the answers on the cluster until the job expires"),
			settings.Switch(&u.flags.open, "open", "keep the job open, so that “append” can add to its tables, until “close”"),
			settings.Plain(flagResume, "go on with `JOB`, which was submitted on this machine", ""),
		}, p.connectionFlags()),
		Action: p.action(u.submit, 0, "DATASET", "DIR"),
	}
}

func (c *connection) blockSizeFlag() cli.Flag {
	return settings.Into(&c.block, parseBlockSize, "block-size", "send `SIZE` of a table at a time to a cluster", size.Binary(client.DefaultBlock))
}

// submit runs a submit command.
func (u *submission) submit(c *cli.Context, _ []string) (err error) {
	if err := u.trySummary(); err != nil {
		return err
	}
	if err := u.checkFollow(); err != nil {
		return err
	}
	u.changes = u.follow.seen()
	prepare := u.prepareNew
	if u.settings.Has(flagResume) {
		prepare = u.prepareResumed
		if u.follow.on {
			return fault.WrongUsage("Next: leave --follow out.", "--follow and --resume do not go together: of what was uploaded before nobody knows where it ends")
		}
	}
	if u.follow.on && u.flags.detach {
		return fault.WrongUsage("Next: leave one of them out.", "--follow waits for answers, --detach for none")
	}
	if u.at != "" && (u.follow.on || u.flags.open) {
		return errAtFollowed
	}
	if u.flags.open && (u.follow.on || u.flags.detach || u.flags.keep) {
		return fault.WrongUsage("Next: leave the others out.", "--open answers for what append adds, and does not go together with --follow, --detach and --keep")
	}
	for first := *u; ; *u = first {
		again, err := u.once(c.Context, func() error { return prepare(c) })
		if !again {
			return err
		}
		first.jobs = u.jobs
	}
}

var errAtFollowed = fault.WrongUsage("Next: leave --at out; the files are read here then.", "gateways read whole files, and --follow and --open answer for parts of them")

func parseBlockSize(text string) (int64, error) {
	n, err := size.Parse(text)
	if err == nil && (n < 1<<10 || n > protocol.MaxBlock) {
		err = fmt.Errorf("%s is no size of blocks: 1KiB to 64MiB are possible", text)
	}
	return n, err
}

func parseTTL(text string) (time.Duration, error) {
	d, err := settings.Time(text)
	if err == nil && (d < protocol.MinTTL || d > protocol.MaxTTL) {
		err = fmt.Errorf("a time to live of %s; %v to %v are possible", text, protocol.MinTTL, protocol.MaxTTL)
	}
	return d, err
}
