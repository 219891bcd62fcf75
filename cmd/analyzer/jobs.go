package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar"
	"analyzer/columnar/size"
	"analyzer/compose/answers"
	"analyzer/compose/cluster/client"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/catalog"
	"analyzer/operators/query/plan"
)

// jobsActions are the subcommands of jobs.
func jobsActions() []string { return []string{"list", "show", "watch", "cancel", "results"} }

func jobsCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "jobs", Usage: "look at, watch or cancel jobs of a cluster, or fetch answers", ArgsUsage: "[list | show | watch | cancel | results] [JOB]",
		Description: "JOB is the number that submit printed; its first digits are enough. Without JOB, watch takes the newest\n" +
			"running job; it ends when the job does. Answers can be fetched any number of times until the job ends:\n" +
			"with its submit, by cancel, or when no client has asked about it for its time to live.",
		Flags: append([]cli.Flag{
			settings.List(&p.queries, flagQuery, "fetch only the answers to these `QUERIES`, such as q1,q3", ""),
			settings.Plain(flagFormat, "write as `FORMAT`: list, show and watch as table or json, results as table, csv, tsv, json, jsonl, markdown, arrow or parquet",
				"table on a terminal, else csv").Proposing(answers.Formats()...),
			p.limitFlag(), p.outputFlag(),
		}, p.connectionFlags()...),
		Action: p.action((&jobs{program: p}).run, 0, "ACTION", "JOB"),
	}
}

func (p *jobs) run(c *cli.Context, arguments []string) (err error) {
	action := cmp.Or(arguments[0], "list")
	if !slices.Contains(jobsActions(), action) {
		hint := fault.Hint(action, jobsActions(), "Did you mean: analyzer jobs %s", "Next: use one of these names.")
		return fault.WrongUsage(hint, "jobs has no action %q; there are %s", action, strings.Join(jobsActions(), ", "))
	}
	if p.client, err = p.connect(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.client.Close()) }()
	return clusterFailure(p.act(c.Context, action, arguments[1]))
}

// jobs looks at the jobs of a cluster.
type jobs struct {
	*program
	client *client.Client
	inJSON bool // list, show and watch
}

// act runs one of jobsActions, with the named job if it takes one.
func (p *jobs) act(ctx context.Context, action, job string) (err error) {
	switch {
	case action == "list" && job != "":
		return fault.WrongUsage("Next: analyzer jobs show JOB", "jobs list takes no job")
	case action != "list" && action != "watch" && job == "":
		return fault.WrongUsage("Next: analyzer jobs lists them.", "JOB is missing: analyzer jobs %s JOB", action)
	}
	if action != "cancel" && action != "results" {
		if p.inJSON, err = p.asJSON(); err != nil {
			return err
		}
	}
	switch action {
	case "list":
		return p.list(ctx)
	case "watch":
		return p.watchJob(ctx, job)
	}
	id, err := p.find(ctx, job)
	if err != nil {
		return err
	}
	switch action {
	case "show":
		return p.show(ctx, id)
	case "results":
		return p.results(ctx, id)
	}
	if err = p.client.End(ctx, id, "cancelled"); err == nil {
		p.notef("Job %s is cancelled.", id)
		p.forget(id)
	}
	return err
}

// find returns the job with the given number, or the only one whose number begins so.
func (p *jobs) find(ctx context.Context, text string) (protocol.JobID, error) {
	if id, err := protocol.ParseJobID(text); err == nil {
		return id, nil
	}
	const fewest = 4
	if len(text) < fewest || strings.Trim(text, "0123456789abcdef") != "" {
		return protocol.JobID{}, fault.WrongUsage("Next: analyzer jobs lists them.", "%q is not the number of a job, nor %d digits of its beginning", text, fewest)
	}
	list, err := p.client.List(ctx)
	if err != nil {
		return protocol.JobID{}, err
	}
	known := columnar.Each(list.Jobs, func(s protocol.Status) string { return s.Job.String() })
	return oneJob(text, known, "", "Next: analyzer jobs lists them.")
}

// oneJob parses the number of a job, or finds the only known job whose number begins so. which
// says in errors what jobs these are, hint what to do.
func oneJob(text string, known []string, which, hint string) (protocol.JobID, error) {
	if id, err := protocol.ParseJobID(text); err == nil {
		return id, nil
	}
	found := slices.DeleteFunc(known, func(id string) bool { return !strings.HasPrefix(id, text) })
	switch len(found) {
	case 0:
		return protocol.JobID{}, fault.WrongUsage(hint, "no job%s has a number that begins with %q", which, text)
	case 1:
		return protocol.ParseJobID(found[0])
	}
	return protocol.JobID{}, fault.WrongUsage(hint, "%d jobs%s have numbers that begin with %q", len(found), which, text)
}

// asJSON reports whether --format asks for JSON rather than text. The flag is read only where
// it counts, because elsewhere it names a format of answers.
func (p *program) asJSON() (bool, error) {
	format, err := settings.Parse(p.settings, flagFormat, "table", settings.Among[string]("format", "table", "json"))
	return format == "json", err
}

func (p *jobs) list(ctx context.Context) error {
	list, err := p.client.List(ctx)
	if err != nil {
		return err
	}
	if p.inJSON {
		return p.printJSON(list)
	}
	for _, silent := range list.Silent {
		p.notef("Worker %d does not answer for all of its jobs; some may be missing.", silent)
	}
	if len(list.Jobs) == 0 {
		p.notef("There are no jobs.")
		return nil
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(w, "JOB\tDATA SET\tSTATE\tOPENED\tROWS\tSTAGES\tANSWERS\tCLIENT") // Flush returns the error
	for _, j := range list.Jobs {
		client := "here"
		switch {
		case j.State == protocol.Opening:
			client = "not heard of yet"
		case gone(&j):
			client = "gone for " + j.Idle.Round(time.Second).String()
		}
		_, _ = fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%d of %d\t%s\t%s\n", j.Job, j.Label, j.State, ago(j.Opened), size.Count(j.Rows),
			j.StagesDone(), len(j.Stages), strings.Join(j.Answers, ","), client)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, j := range list.Jobs {
		if gone(&j) && j.Uploading {
			p.notef("%s", goOn(&j))
		}
	}
	return nil
}

func ago(t time.Time) string { return time.Since(t).Round(time.Second).String() + " ago" }

func (p *jobs) show(ctx context.Context, id protocol.JobID) error {
	st, err := p.client.Status(ctx, id)
	if err != nil {
		return err
	}
	if p.inJSON {
		return p.printJSON(st)
	}
	w := tabwriter.NewWriter(p.stdout, 0, 0, 2, ' ', 0)
	line := func(what, format string, a ...any) { _, _ = fmt.Fprintf(w, what+"\t"+format+"\n", a...) } // Flush returns the error
	line("job", "%s", st.Job)
	line("data set", "%s", st.Label)
	line("owner", "%s", st.Owner)
	line("state", "%s", strings.TrimSuffix(string(st.State)+": "+st.Reason, ": "))
	line("opened", "%s (%s)", st.Opened.Format(time.RFC3339), ago(st.Opened))
	line("expires", "%s", st.Expires.Format(time.RFC3339))
	line("workers", "%d", st.Replicas)
	line("taken in", "%s, %s", size.Plural(st.Rows, "row"), size.Binary(st.Bytes))
	line("answers", "%s", strings.Join(st.Answers, ", "))
	if gone(st) {
		line("client", "gone for %s", st.Idle.Round(time.Second))
	}
	line("progress", "%s", howFar(st))
	for _, stage := range st.Stages {
		line(fmt.Sprintf("stage %d", stage.Stage), "%s; %s taken in%s", phases(stage), size.Plural(stage.Batches, "message"), computed(stage))
	}
	for _, waiting := range st.Waiting {
		line("waits for", "%s", waiting)
	}
	for _, replica := range st.Silent {
		line("silent", "worker %d", replica)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if gone(st) {
		p.notef("%s", goOn(st))
	}
	return nil
}

// phases describes which phases the replicas of a stage are in.
func phases(st protocol.Stage) string {
	var parts []string
	for phase, n := range st.Phases {
		parts = append(parts, fmt.Sprintf("%s on %d", phase, n))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

// results writes the answers of a job. It waits for those that are not ready.
func (p *jobs) results(ctx context.Context, id protocol.JobID) (err error) {
	j, err := p.client.Job(ctx, id)
	if err != nil {
		return err
	}
	if j.Spec.Open {
		if j, err = p.soFar(ctx, j); err != nil {
			return err
		}
		if cut := j.Spec; cut.Cut != nil {
			defer func() { err = errors.Join(err, p.client.End(context.WithoutCancel(ctx), cut.ID, client.Fetched)) }()
		}
	}
	asked, err := p.queriesOf(j.Spec, p.queries)
	if err != nil {
		return err
	}
	if p.format, err = settings.Parse(p.settings, flagFormat, p.format, answers.ParseFormat); err != nil {
		return err
	}
	out, err := p.openAnswers(answers.Options{Each: true}, asked)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	f := p.wanted(asked)
	f.Onlooker = true
	err = j.Fetch(ctx, f, onClearLine{out, p.progress})
	p.progress.Clear()
	if err == nil {
		err = out.Finish()
	}
	return err
}

// soFar returns a cut of a job to which files can still be appended, and the job itself
// otherwise. The caller ends the cut.
func (p *jobs) soFar(ctx context.Context, j *client.Job) (*client.Job, error) {
	s, err := p.client.Status(ctx, j.Spec.ID)
	if err != nil || !s.Open {
		return j, err
	}
	p.tellf("The job stays open: these are the answers so far.")
	return j.Cut(ctx, nil)
}

// queriesOf returns the requested queries of a job, all if none is named, with their titles
// and parameters as far as this machine knows them.
func (p *jobs) queriesOf(spec *protocol.Spec, names []string) (asked datasets.Selection, err error) {
	job := &datasets.Source{Name: "the job"}
	for _, a := range spec.Plan.Answers {
		job.Queries = append(job.Queries, &plan.Query{Name: a.Query, Title: a.Query})
	}
	submitted := p.newRecord()
	known := submitted.open(spec.ID) == nil // otherwise it was submitted elsewhere
	if d, err := catalog.Find(spec.Label, submitted.line.Params); err == nil {
		for _, q := range job.Queries {
			if found, err := d.Select(q.Name); err == nil {
				q.Title = found[0].Title
				if known {
					q.Params = found[0].Params
				}
			}
		}
	}
	asked.Source = job
	if asked.Queries, err = job.Select(names...); err != nil {
		return asked, fault.WrongUsage("Next: use these names, several as q1,q3.", "%w", err)
	}
	return asked, nil
}
