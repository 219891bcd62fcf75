package chaos

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/supervisor"
	"analyzer/process"
)

// Taken is how much a cluster uses of one resource.
type Taken struct {
	Name  string
	Value int64
	// Slack is how much the value may grow without meaning anything. ByJob: each submitted
	// job may add one more.
	Slack int64
	ByJob bool
}

// Row is what a cluster uses at one moment.
type Row struct {
	At    time.Duration
	Jobs  int // submitted so far
	Taken []Taken
}

// Names of resources with a rule of their own.
const (
	endedJobs = "ended jobs" // each leaves a tombstone
	jobFiles  = "job files"
)

const mebibyte = 1 << 20

// Take measures what a cluster uses whose nodes are processes on this machine. For memory
// (resident, in MiB), open files and goroutines, it takes the largest node; files are those
// below the state directories.
func Take(r load.Report, t supervisor.Topology) (out []Taken, err error) {
	processes, err := process.All()
	if err != nil {
		return nil, err
	}
	memory := make(map[membership.Role]int64)
	var open, goroutines, waiting int
	for _, n := range r.Nodes {
		memory[n.Role] = max(memory[n.Role], memoryOf(n, processes))
		l := r.Load[n.Name]
		open, goroutines, waiting = max(open, l.OpenFiles), max(goroutines, l.Goroutines), waiting+int(l.Waiting)
	}
	for _, role := range []membership.Role{membership.Worker, membership.Gateway, membership.Supervisor, membership.Broker} {
		name := strings.Replace(string(role), "visor", "", 1) // so that all columns fit into a terminal
		out = append(out, Taken{name + " MiB", memory[role] / mebibyte, 32, false})
	}
	out = append(out, Taken{"open files", int64(open), 32, false}, Taken{"go routines", int64(goroutines), 64, false}, Taken{"queued", int64(waiting), 256, false})
	var ended, jobs, broker int64
	for _, n := range t.Nodes {
		i := slices.Index(n.Args, "--state")
		if i < 0 || i+1 == len(n.Args) {
			continue
		}
		dir := n.Args[i+1]
		if n.Role == membership.Broker {
			broker += files(dir)
			continue
		}
		ended = max(ended, files(filepath.Join(dir, "ended")))
		jobs += files(filepath.Join(dir, "jobs")) + files(filepath.Join(dir, "spill"))
	}
	return append(out, Taken{"broker files", broker, 128, false}, Taken{jobFiles, jobs, 128, false}, Taken{Name: endedJobs, Value: ended, Slack: 16, ByJob: true}), nil
}

// memoryOf returns the resident memory of a node. For a broker it includes the processes that
// the node started, since one of them is RabbitMQ. A supervisor's children are other nodes
// and are not included.
func memoryOf(n membership.Node, all process.Running) (sum int64) {
	if n.Role != membership.Broker {
		one := all[n.PID]
		return int64(one.ResidentMemory())
	}
	for pid, p := range all {
		if all.Descends(pid, n.PID) {
			sum += int64(p.ResidentMemory())
		}
	}
	return sum
}

// files counts the files below a directory. Files may appear and vanish meanwhile.
func files(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return nil
	})
	return n
}

// growthFactor is by how much, beside the slack, the median of the last third of a run may
// exceed that of the middle third. The first third is warm-up.
const growthFactor = 1.25

// leastRows is how many rows it takes for thirds to be meaningful.
const leastRows = 9

// grown returns which resources have grown.
func grown(rows []Row) (out []string) {
	if len(rows) < leastRows {
		return nil
	}
	third := len(rows) / 3
	middle, last := rows[third:2*third], rows[len(rows)-third:]
	for i, first := range rows[0].Taken {
		if first.ByJob {
			for _, r := range rows {
				if more := r.Taken[i].Value - first.Value; more > int64(r.Jobs-rows[0].Jobs)+first.Slack {
					out = append(out, fmt.Sprintf("%s: %d more after %d jobs more", first.Name, more, r.Jobs-rows[0].Jobs))
					break
				}
			}
			continue
		}
		was, is := median(middle, i), median(last, i)
		if float64(is) > growthFactor*float64(was)+float64(first.Slack) {
			out = append(out, fmt.Sprintf("%s grew from %d to %d (medians of the second and the last third)", first.Name, was, is))
		}
	}
	return out
}

func median(rows []Row, column int) int64 {
	var all []int64
	for _, r := range rows {
		all = append(all, r.Taken[column].Value)
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// table formats rows, about one per minute.
func table(rows []Row) string {
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 1, ' ', tabwriter.AlignRight)
	shown := -time.Hour
	for i, r := range rows {
		if i == 0 {
			// The header has two lines, so that all columns fit into a terminal.
			above, below := "\t\t", "min\tjobs\t"
			for _, t := range r.Taken {
				first, second, _ := strings.Cut(t.Name, " ")
				if second == "" {
					first, second = second, first
				}
				above, below = above+first+"\t", below+second+"\t"
			}
			_, _ = fmt.Fprintf(w, "%s\n%s\n", above, below)
		}
		if r.At-shown < time.Minute-time.Second && i < len(rows)-1 {
			continue
		}
		shown = r.At
		_, _ = fmt.Fprintf(w, "%.0f\t%d\t", r.At.Minutes(), r.Jobs)
		for _, t := range r.Taken {
			_, _ = fmt.Fprintf(w, "%d\t", t.Value)
		}
		_, _ = fmt.Fprintln(w)
	}
	_ = w.Flush()
	return out.String()
}

// mostEvery and leastRows bound how often the cluster is measured.
const mostEvery = time.Minute

// watch measures the cluster until the context ends, and reports once a minute.
func (r *run) watch(ctx context.Context) {
	every := min(mostEvery, r.cfg.For/(4*leastRows))
	var told time.Duration
	for process.Sleep(ctx, every) == nil {
		taken, err := r.cfg.Take(ctx)
		if ctx.Err() != nil {
			return // the context ended during a measurement
		}
		if err != nil {
			r.say("it is not known what the cluster takes: %v", err) // its nodes are being killed
			continue
		}
		row := Row{At: time.Since(r.began), Jobs: int(r.submitted.Load()), Taken: taken}
		r.result.Rows = append(r.result.Rows, row)
		if row.At-told >= mostEvery {
			told = row.At
			r.say("what the cluster takes:\n%s", table([]Row{row}))
		}
	}
}

// judge reports what has grown, and what is left once no job runs.
func (r *run) judge(ctx context.Context) {
	if len(r.result.Rows) < leastRows {
		r.trouble("it was seen only %d times what the cluster takes", len(r.result.Rows))
	}
	for _, text := range grown(r.result.Rows) {
		r.trouble("%s", text)
	}
	err := r.until(ctx, "the end of all jobs", func() string {
		taken, err := r.cfg.Take(ctx)
		i := slices.IndexFunc(taken, func(t Taken) bool { return t.Name == jobFiles })
		switch {
		case err != nil:
			return err.Error()
		case i >= 0 && taken[i].Value > 0:
			return fmt.Sprintf("%d files of jobs are left", taken[i].Value)
		}
		return ""
	})
	if err != nil {
		r.trouble("%v", err)
	}
}
