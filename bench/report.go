package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"
)

// Format is the version of the report in bench.json. Added fields keep the version; a field
// that changes its meaning needs a new one.
const Format = 1

// Report is what a sweep measured, and how. bench.json holds it as JSON, with times in
// seconds and sizes in bytes.
type Report struct {
	Format   int       `json:"format"` // of this file; see Format
	Began    time.Time `json:"began"`
	Machine  Machine   `json:"machine"`
	Program  string    `json:"program"`          // its version, with the commit and the Go release
	Broker   string    `json:"broker,omitempty"` // its version; "": no cluster was measured
	Data     Data      `json:"data"`
	Gateways int       `json:"gateways,omitempty"` // of each cluster
	Queues   string    `json:"queues,omitempty"`   // of each cluster: classic or quorum
	// MachineCores are the cores that each replica of a cluster has as a machine of its own, with a gateway
	// that reads; 0: it has no machine.
	MachineCores float64  `json:"machineCores,omitempty"`
	CheckMemory  bool     `json:"checkMemory"`
	Workloads    []Result `json:"workloads"`
	Floors       []Floor  `json:"floors,omitempty"`
}

// Data says what was read: the files of a directory, or generated ones.
type Data struct {
	Dir    string    `json:"dir,omitempty"`
	Scales []float64 `json:"scales,omitempty"`
	Seed   uint64    `json:"seed,omitempty"`
}

// Result is what was measured of one workload.
type Result struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Cells []Cell `json:"cells"`
}

// Cell is one setting of a sweep with its runs.
type Cell struct {
	Setting
	Runs []Run `json:"runs"`
}

// Setting is what a sweep varies.
type Setting struct {
	Scale     float64   `json:"scale,omitempty"` // of generated data; 0: the files of a directory
	Transport Transport `json:"transport"`
	Memory    int64     `json:"memory"`   // bytes for each process; 0: no limit but half of the machine's
	Replicas  int       `json:"replicas"` // of each stage; in a cluster, workers; 0: one per core
	Follow    Following `json:"follow,omitempty"`
	Pages     int       `json:"pages,omitempty"` // of the job that are open in browsers, at a gateway of a cluster
}

// plain reports whether runs give only the final answers, without early ones and pages.
func (s Setting) plain() bool { return s.Follow == AtEnd && s.Pages == 0 }

// Transport is what carries rows between replicas.
type Transport string

// The transports: queues within one process, or a cluster's broker.
const (
	InMemory Transport = "memory"
	RabbitMQ Transport = "rabbitmq"
)

// Run is one measured run of a workload, from the start of a process that asks for
// the answers to its exit.
type Run struct {
	Wall         float64   `json:"wall"`                 // seconds
	CPU          float64   `json:"cpu"`                  // seconds of user and system, over all cores and processes
	Peak         int64     `json:"peak"`                 // sum of the peaks of all processes; 0: the system does not say
	Program      int64     `json:"program"`              // of Peak, bytes of the program's own file, in the process that asked
	Processes    []Process `json:"processes"`            // the one that asked for the answers comes first
	Rows         int64     `json:"rows"`                 // read, over all scans
	Bytes        int64     `json:"bytes"`                // of input files, over all scans
	Spilled      int64     `json:"spilled"`              // bytes written because memory did not suffice
	SpillFiles   int64     `json:"spillFiles"`           // files that hold the spill
	Messages     int64     `json:"messages"`             // through the broker
	Uploaded     int64     `json:"uploaded,omitempty"`   // messages sent by gateways; workers sent the others
	MessageBytes int64     `json:"messageBytes"`         // in all messages
	Received     int64     `json:"received,omitempty"`   // rows that workers logged, from gateways and from each other
	Commits      int64     `json:"commits,omitempty"`    // of workers
	CommitTime   float64   `json:"commitTime,omitempty"` // seconds that workers waited for their disks
	Stages       []Stage   `json:"stages,omitempty"`
	Cuts         int       `json:"cuts,omitempty"` // how often there were answers before all was read
	Delay        Delay     `json:"delay,omitzero"` // of blocks, in a cluster that follows
	Answers      string    `json:"answers"`        // SHA-256 of the answers as JSON
}

// Process is what one process of a run used.
type Process struct {
	Name string  `json:"name"` // such as "worker 0"
	CPU  float64 `json:"cpu"`  // seconds
	Peak int64   `json:"peak"` // resident bytes
	// Program is how many of them are of the program's own file, which the system can drop.
	Program int64 `json:"program,omitempty"`
}

// Stage is the time of one stage of a plan, over all replicas. In one process it is the time
// that the stage's operators worked; for a scan it excludes reading. In a cluster it is the
// time in which workers computed the stage, from reading their logs to freezing its results;
// a scan has none there, since gateways run it.
type Stage struct {
	Name string  `json:"name"`
	Time float64 `json:"time"` // seconds
}

// ReportFile is the name of the file that ReadReport reads.
const ReportFile = "bench.json"

// File is one file of a report, with the function that writes it.
type File struct {
	Name  string
	Write func(io.Writer) error
}

// Files returns the files of the report.
func (r *Report) Files() []File {
	all := []File{
		{ReportFile, r.WriteJSON},
		{"bench.csv", r.WriteCSV},
		{"bench.md", r.WriteMarkdown},
		{"ratios.csv", r.WriteRatios},
		{"report.html", r.WriteHTML},
	}
	if m, err := NewModel(r); err == nil {
		all = append(all, File{"model.txt", m.WriteText})
	}
	for _, f := range r.Figures() {
		all = append(all, File{f.Name + ".svg", f.Chart.WriteSVG})
	}
	return all
}

// cells yields all cells, each with the result of its workload.
func (r *Report) cells() iter.Seq2[*Result, *Cell] {
	return func(yield func(*Result, *Cell) bool) {
		for i := range r.Workloads {
			w := &r.Workloads[i]
			for j := range w.Cells {
				if !yield(w, &w.Cells[j]) {
					return
				}
			}
		}
	}
}

// WriteJSON writes the whole report.
func (r *Report) WriteJSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// ReadReport reads what WriteJSON wrote. It refuses other files, and reports of another
// format.
func ReadReport(in io.Reader) (*Report, error) {
	var r Report
	if err := json.NewDecoder(in).Decode(&r); err != nil {
		return nil, fmt.Errorf("read the report: %w", err)
	}
	if r.Format != Format {
		return nil, fmt.Errorf("read the report: it has format %d, and this program reads %d", r.Format, Format)
	}
	if len(r.Workloads) == 0 {
		return nil, errors.New("read the report: there are no measurements in it")
	}
	for _, w := range r.Workloads {
		if w.Name == "" || len(w.Cells) == 0 {
			return nil, fmt.Errorf("read the report: workload %q has no measurements", w.Name)
		}
	}
	for w, c := range r.cells() {
		if len(c.Runs) == 0 {
			return nil, fmt.Errorf("read the report: workload %s has no runs with %s", w.Name, c.Setting)
		}
	}
	return &r, nil
}

// Err returns an error for each workload whose answers are not the same bytes in all runs over
// the same data.
func (r *Report) Err() error {
	var errs []error
	for _, w := range r.Workloads {
		for scale, n := range w.answers() {
			if n > 1 {
				errs = append(errs, fmt.Errorf("%s%s: the runs gave %d different answers", w.Name, atScale(scale), n))
			}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(errs...)
}

// Excess returns, if CheckMemory is set, an error for each cell with a process whose peak exceeds
// its limit and its program by more than MemorySlack. Another program that keeps the garbage
// collector from running can cause one, so a second sweep should confirm it.
func (r *Report) Excess() error {
	var errs []error
	for w, c := range r.cells() {
		if excess, who := c.Excess(); r.CheckMemory && excess > MemorySlack {
			errs = append(errs, fmt.Errorf("%s with %s: a peak is %s MiB over the limit%s, and %d are allowed",
				w.Name, c.Setting, mib(excess), inCluster(who), MemorySlack>>20))
		}
	}
	return errors.Join(errs...)
}

// answers returns, by scale, how many different answers the runs gave. More than one
// means that something is broken.
func (w *Result) answers() map[float64]int {
	seen := make(map[float64][]string)
	counts := make(map[float64]int)
	for _, c := range w.Cells {
		for _, r := range c.Runs {
			if !slices.Contains(seen[c.Scale], r.Answers) {
				seen[c.Scale] = append(seen[c.Scale], r.Answers)
				counts[c.Scale]++
			}
		}
	}
	return counts
}

// find returns the cell of a setting, or nil.
func (w *Result) find(s Setting) *Cell {
	for i := range w.Cells {
		if w.Cells[i].Setting == s {
			return &w.Cells[i]
		}
	}
	return nil
}

// String describes a setting.
func (s Setting) String() string {
	text := fmt.Sprintf("transport %s, memory %s, replicas %s", s.Transport, s.memory(), s.replicas())
	if s.Follow != AtEnd {
		text += fmt.Sprintf(", answers by %s", s.Follow)
	}
	if s.Pages > 0 {
		text += fmt.Sprintf(", pages %d", s.Pages)
	}
	if s.Scale != 0 {
		text = fmt.Sprintf("scale %v, %s", s.Scale, text)
	}
	return text
}

func (s Setting) replicas() string {
	if s.Replicas == 0 {
		return "cores"
	}
	return fmt.Sprint(s.Replicas)
}

func (s Setting) memory() string {
	if s.Memory == 0 {
		return "unlimited"
	}
	return mib(s.Memory) + " MiB"
}
