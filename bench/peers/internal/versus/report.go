package versus

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"analyzer/bench/peers/internal/program"
)

// Report is a whole bench run.
type Report struct {
	Machine string    `json:"machine"`
	Data    string    `json:"data"`
	Threads int       `json:"threads"`
	Peers   []Peer    `json:"peers"`
	Results []Outcome `json:"results"`
}

// Peer is a program that analyzer is set beside.
type Peer struct {
	Name    string          `json:"name"`
	Version string          `json:"version"`
	Start   []program.Usage `json:"start"` // its host process doing nothing
}

// start returns what a peer's host process takes to start and leave: the median.
func (r Report) start(name string) time.Duration {
	for _, p := range r.Peers {
		if p.Name == name && len(p.Start) > 0 {
			return SpreadOf(Walls(p.Start)).Median
		}
	}
	return 0
}

// Ratios returns how many times faster ours is than the peer, pair by pair, what the peer takes to start taken off; nil
// if there are no pairs.
func (r Report) Ratios(o Outcome) []float64 { return o.Ratios(r.start(o.Beside)) }

// WriteJSON writes every single measurement.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

const legend = `Wall times are min / **median** / max in seconds; CPU is the median of user and system seconds, analyzer's first; RSS is
the highest peak of all runs, analyzer's first. "Faster" is the peer's wall time over analyzer's, pair by pair; "faster,
start taken off" subtracts from the peer alone what its host process takes to start, load it and leave again, and is
the number to quote.

`

// WriteMarkdown writes a summary to read.
func (r Report) WriteMarkdown(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# analyzer beside its peers\n\n")
	fmt.Fprintf(&b, "%s; %d threads each; %s. Whole processes, warm, run in turn.\n\n%s", r.Machine, r.Threads, r.Data, legend)
	b.WriteString("| peer | version | s to start | MiB |\n|---|---|---|---|\n")
	for _, p := range r.Peers {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", p.Name, p.Version, seconds(r.start(p.Name)), rssCell(p.Start))
	}
	b.WriteString("\n| workload | peer | analyzer s | peer s | faster | faster, start taken off | CPU s | RSS MiB |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|\n")
	for _, o := range r.Results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s, %s | %s, %s |\n", o.Workload, o.Beside, wallCell(o.Ours), peerCell(o),
			ratioCell(o.Ratios(0)), ratioCell(r.Ratios(o)),
			CPU(o.Ours), CPU(o.Peer), rssCell(o.Ours), rssCell(o.Peer))
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

// Walls returns the times of runs.
func Walls(runs []program.Usage) []time.Duration {
	var all []time.Duration
	for _, u := range runs {
		all = append(all, u.Wall)
	}
	return all
}

func wallCell(runs []program.Usage) string {
	if len(runs) == 0 {
		return "–"
	}
	s := SpreadOf(Walls(runs))
	return fmt.Sprintf("%s / **%s** / %s", seconds(s.Min), seconds(s.Median), seconds(s.Max))
}

func peerCell(o Outcome) string {
	if o.PeerFailure != "" && len(o.Peer) > 0 {
		return fmt.Sprintf("failed after %s", seconds(o.Peer[0].Wall))
	}
	return wallCell(o.Peer)
}

func ratioCell(ratios []float64) string {
	if len(ratios) == 0 {
		return "–"
	}
	s := SpreadOf(ratios)
	return fmt.Sprintf("%.2f / **%.2f** / %.2f", s.Min, s.Median, s.Max)
}

func rssCell(runs []program.Usage) string {
	var peak int64
	for _, u := range runs {
		peak = max(peak, u.PeakRSS)
	}
	if peak == 0 {
		return "–"
	}
	return fmt.Sprint(peak >> 20)
}

// CPU returns the median of user and system seconds, as a cell of a table.
func CPU(runs []program.Usage) string {
	if len(runs) == 0 {
		return "–"
	}
	var all []time.Duration
	for _, u := range runs {
		all = append(all, u.User+u.System)
	}
	return seconds(SpreadOf(all).Median)
}

func seconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", d.Seconds())
}
