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
	Machine string          `json:"machine"`
	Peer    string          `json:"peer"`
	Data    string          `json:"data"`
	Threads int             `json:"threads"`
	Start   []program.Usage `json:"peer_start"` // the peer's host process doing nothing
	Results []Outcome       `json:"results"`
}

// WriteJSON writes every single measurement.
func (r Report) WriteJSON(w io.Writer) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", " ")
	return encoder.Encode(r)
}

// legend explains the table. It takes what the peer's start costs, in seconds and MiB.
const legend = `Wall times are min / **median** / max in seconds; CPU is the median of user and system seconds, analyzer's first; RSS is
the highest peak of all runs, analyzer's first. "Faster" is the peer's wall time over analyzer's, pair by pair. The
peer's host process takes %s s (median) and %s MiB to start, load it and leave again; "faster, start taken off"
subtracts that time from the peer alone, and is the number to quote.

`

// WriteMarkdown writes a summary to read.
func (r Report) WriteMarkdown(w io.Writer) error {
	start := SpreadOf(Walls(r.Start))
	var b strings.Builder
	fmt.Fprintf(&b, "# analyzer beside %s\n\n", r.Peer)
	fmt.Fprintf(&b, "%s; %d threads each; %s. Whole processes, warm, run in turn.\n\n", r.Machine, r.Threads, r.Data)
	fmt.Fprintf(&b, legend, seconds(start.Median), rssCell(r.Start))
	b.WriteString("| workload | analyzer s | peer s | faster | faster, start taken off | CPU s | RSS MiB |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, o := range r.Results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s, %s | %s, %s |\n", o.Workload, wallCell(o.Ours), peerCell(o),
			ratioCell(o.Ratios(0)), ratioCell(o.Ratios(start.Median)),
			CPU(o.Ours), CPU(o.Peer), rssCell(o.Ours), rssCell(o.Peer))
	}
	for _, o := range r.Results {
		if o.PeerFailure != "" {
			fmt.Fprintf(&b, "\n%s: the peer gave up: %s\n", o.Workload, o.PeerFailure)
		}
		if o.Disagreement != "" {
			fmt.Fprintf(&b, "\n%s: THE ANSWERS DIFFER: %s\n", o.Workload, o.Disagreement)
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
