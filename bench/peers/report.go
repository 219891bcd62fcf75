package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// report is what peers bench has measured. peers.json holds it.
type report struct {
	Machine string    `json:"machine"`
	Data    string    `json:"data"`
	Threads int       `json:"threads"`
	Peers   []peer    `json:"peers"`
	Results []outcome `json:"results"`
}

// start returns the median of the seconds that a peer's host process takes to start and exit.
func (r report) start(name string) (seconds float64) {
	i := slices.IndexFunc(r.Peers, func(p peer) bool { return p.Name == name })
	if i >= 0 && len(r.Peers[i].Start) > 0 {
		_, seconds, _ = spreadOf(r.Peers[i].Start.walls())
	}
	return seconds
}

// ratios returns how many times faster ours is than the peer, pair by pair, without the peer's time to start; nil if
// there are no pairs.
func (r report) ratios(o outcome) []float64 { return o.ratios(r.start(o.Beside)) }

// writeJSON writes every single measurement.
func (r report) writeJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

const legend = `Wall times are min / **median** / max in seconds; CPU is the median of user and system seconds, analyzer's first; RSS is
the highest peak of all runs, analyzer's first. "Faster" is the peer's wall time over analyzer's, pair by pair; "faster,
start taken off" subtracts from the peer alone what its host process takes to start, load it and leave again, and is
the number to quote.

`

// writeMarkdown writes a summary to read.
func (r report) writeMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# analyzer beside its peers\n\n")
	fmt.Fprintf(&b, "%s; %d threads each; %s. Whole processes, warm, run in turn.\n\n%s", r.Machine, r.Threads, r.Data, legend)
	b.WriteString("| peer | version | s to start | MiB |\n|---|---|---|---|\n")
	for _, p := range r.Peers {
		fmt.Fprintf(&b, "| %s | %s | %.2f | %s |\n", p.Name, p.Version, r.start(p.Name), rssCell(p.Start))
	}
	b.WriteString("\n| workload | peer | analyzer s | peer s | faster | faster, start taken off | CPU s | RSS MiB |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, o := range r.Results {
		peer := spreadCell(o.Peer.walls())
		if o.PeerFailure != "" {
			peer = fmt.Sprintf("failed after %.2f", o.Peer.walls()[0])
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s, %s | %s, %s |\n", o.Workload, o.Beside, spreadCell(o.Ours.walls()), peer,
			spreadCell(o.ratios(0)), spreadCell(r.ratios(o)),
			medianCell(o.Ours.cpus()), medianCell(o.Peer.cpus()), rssCell(o.Ours), rssCell(o.Peer))
	}
	for _, o := range r.Results {
		if o.PeerFailure != "" {
			fmt.Fprintf(&b, "\n%s: %s gave up: %s\n", o.Workload, o.Beside, o.PeerFailure)
		}
		if o.Disagreement != "" {
			fmt.Fprintf(&b, "\n%s: THE ANSWERS DIFFER FROM THOSE OF %s: %s\n", o.Workload, o.Beside, o.Disagreement)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// nothing is a cell without a figure.
const nothing = "–"

func spreadCell(sample []float64) string {
	if len(sample) == 0 {
		return nothing
	}
	least, median, most := spreadOf(sample)
	return fmt.Sprintf("%.2f / **%.2f** / %.2f", least, median, most)
}

func medianCell(sample []float64) string {
	if len(sample) == 0 {
		return nothing
	}
	_, median, _ := spreadOf(sample)
	return fmt.Sprintf("%.2f", median)
}

func rssCell(t timed) string {
	if t.peak() == 0 {
		return nothing
	}
	return fmt.Sprint(t.peak() >> 20)
}
