package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"analyzer/columnar/size"
	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/process"
)

const (
	watchEvery     = load.Moment
	statusPatience = 3*time.Second + load.Moment
)

// status shows the state of a cluster.
func (r *clusterRun) status(ctx context.Context) error {
	asJSON, err := r.asJSON()
	if err != nil {
		return err
	}
	if ctx, err = r.withToken(ctx); err != nil {
		return err
	}
	for {
		began := time.Now()
		report, err := askCluster(ctx, r.nodes, load.Ask)
		if err != nil && !r.watched {
			return err
		}
		text := statusText(report, err, asJSON)
		if r.watched && r.width > 0 {
			text = "\x1b[H\x1b[2J" + text
		}
		if err := r.printf("%s", text); err != nil || !r.watched {
			return err
		}
		if err := process.Sleep(ctx, watchEvery-time.Since(began)); err != nil {
			return err
		}
	}
}

// withToken returns a context with which nodes are shown the token of this client.
func (p *program) withToken(ctx context.Context) (context.Context, error) {
	token, err := p.clientToken()
	return monitor.WithToken(ctx, token), err
}

// askCluster returns the report of the first node that answers.
func askCluster[R any](ctx context.Context, nodes []string, ask func(context.Context, string) (R, error)) (report R, err error) {
	if len(nodes) == 0 {
		nodes = []string{usualStatus}
	}
	for _, address := range nodes {
		ctx, cancel := context.WithTimeout(ctx, statusPatience)
		report, err = ask(ctx, address)
		cancel()
		if err == nil {
			return report, nil
		}
	}
	if protocol.CodeOf(err) == protocol.NoToken {
		return report, fault.Failure("Next: show a token of the nodes with --token-file FILE.", err)
	}
	return report, fault.Failure("Next: name the page of another node with --node HOST:PORT; cluster up --supervisors N prints them.",
		fmt.Errorf("ask for the state of the cluster: %w", err))
}

// statusText formats a report for people or programs; err says why there is none.
func statusText(r load.Report, err error, asJSON bool) string {
	if err != nil {
		return fmt.Sprintf("%v\n", err)
	}
	if asJSON {
		text, _ := json.MarshalIndent(r, "", "  ") // strings and numbers
		return string(text) + "\n"
	}
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "NODE\tSTATE\tFOR\tRESTARTS\tPID\tPAGE")
	for _, n := range r.Nodes {
		state, since := string(n.State), "-"
		if n.Leads {
			state += ", leads"
		}
		if !n.Since.IsZero() {
			since = time.Since(n.Since).Round(time.Second).String()
		}
		_, _ = fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%s\t%s\n", n.Name, state, since, n.Restarts, orDash(n.PID), cmp.Or(n.HTTP, "-"))
	}
	loadText(t, r)
	_ = t.Flush()
	if b := r.Bottleneck; b.Where == "" {
		fmt.Fprintf(&out, "\nBottleneck: none\n  %s\n", b.Why)
	} else {
		fmt.Fprintf(&out, "\nBottleneck: %s\n  %s\n", b.Where, b.Why)
	}
	for _, n := range r.Nodes {
		if n.Why != "" {
			fmt.Fprintf(&out, "\nWhy %s was away: %s.\n", n.Name, strings.TrimSuffix(n.Why, "."))
		}
	}
	if r.Leader == "" {
		fmt.Fprintf(&out, "\nNo supervisor leads: these are the nodes that %s hears of.\n", r.By)
	}
	for _, n := range r.Nodes {
		if n.Log != "" {
			fmt.Fprintf(&out, "\nThe end of the log of %s:\n%s\n", n.Name, strings.TrimRight(n.Log, "\n"))
		}
	}
	return out.String()
}

// loadText shows the load of each node and, for a role with several nodes, their total.
func loadText(w io.Writer, r load.Report) {
	_, _ = fmt.Fprintln(w, "\nLOAD\tCPU\tMEMORY\tJOBS\tROWS/S\tWAITING MESSAGES")
	for i, n := range r.Nodes {
		if i == 0 || r.Nodes[i-1].Role != n.Role {
			if all, count := r.Sum(n.Role); count > 1 {
				loadRow(w, fmt.Sprintf("%d %ss", count, n.Role), all)
			}
		}
		if l, ok := r.Load[n.Name]; ok {
			loadRow(w, n.Name, l)
		}
	}
}

func loadRow(w io.Writer, name string, l load.Load) {
	waiting, rows := "-", "-"
	if l.Waiting > 0 {
		waiting = fmt.Sprintf("%s (%s)", size.Count(l.Waiting), size.Binary(l.WaitingBytes))
	}
	if l.Rows > 0 {
		rows = size.Count(int64(l.Rows))
	}
	_, _ = fmt.Fprintf(w, "%s\t%.1f of %.0f\t%s\t%s\t%s\t%s\n", name, l.CPU, l.CPUs, size.Binary(l.Memory), orDash(l.Jobs), rows, waiting)
}

func orDash(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}
