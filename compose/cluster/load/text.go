package load

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"analyzer/columnar/size"
	"analyzer/compose/cluster/membership"
)

// Text is the report for people.
func (r Report) Text() string {
	var out bytes.Buffer
	t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	hosts := slices.ContainsFunc(r.Nodes, func(n membership.Node) bool { return n.Host != "" })
	host := func(text string) string {
		if !hosts {
			return ""
		}
		return text + "\t"
	}
	_, _ = fmt.Fprintf(t, "NODE\t%sSTATE\tFOR\tRESTARTS\tPID\tPAGE\n", host("HOST"))
	for _, n := range r.Nodes {
		state, since := string(n.State), "-"
		if n.Leads {
			state += ", leads"
		}
		if !n.Since.IsZero() {
			since = time.Since(n.Since).Round(time.Second).String()
		}
		_, _ = fmt.Fprintf(t, "%s\t%s%s\t%s\t%d\t%s\t%s\n", n.Name, host(n.Host), state, since, n.Restarts, orDash(n.PID), cmp.Or(n.HTTP, "-"))
	}
	r.loadText(t)
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

// loadText writes the load of each node and, for a role with several nodes, their total.
func (r Report) loadText(w io.Writer) {
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

func loadRow(w io.Writer, name string, l Load) {
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
