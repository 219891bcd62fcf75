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

// WriteMarkdown writes a summary to read.
func (r Report) WriteMarkdown(w io.Writer) error {
	start := SpreadOf(walls(r.Start))
	var b strings.Builder
	fmt.Fprintf(&b, "# analyzer beside %s\n\n", r.Peer)
	fmt.Fprintf(&b, "%s; %d threads each; %s. Whole processes, warm, run in turn.\n\n", r.Machine, r.Threads, r.Data)
	fmt.Fprintf(&b, "Wall times are min / **median** / max in seconds; RSS is the highest peak of all runs. \"Faster\" is the\n")
	fmt.Fprintf(&b, "peer's wall time over analyzer's, pair by pair. The peer's host process takes %s s (median) to start,\n", seconds(start.Median))
	fmt.Fprintf(&b, "load it and leave again; \"faster, start taken off\" subtracts that from the peer alone, and is the number to quote.\n\n")
	b.WriteString("| workload | analyzer s | peer s | faster | faster, start taken off | analyzer RSS | peer RSS |\n")
	b.WriteString("|---|---|---|---|---|---|---|\n")
	for _, o := range r.Results {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", o.Workload, wallCell(o.Ours), peerCell(o),
			ratioCell(o.Ratios(0)), ratioCell(o.Ratios(start.Median)), rssCell(o.Ours), rssCell(o.Peer))
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

func walls(runs []program.Usage) []time.Duration {
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
	s := SpreadOf(walls(runs))
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
	return fmt.Sprintf("%d MiB", peak>>20)
}

func seconds(d time.Duration) string {
	return fmt.Sprintf("%.2f", d.Seconds())
}
