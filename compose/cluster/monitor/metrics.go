package monitor

import (
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/procfs"
)

// Metric is a number that a process shows or, with Times, a histogram of durations.
type Metric struct {
	// Name is in snake case. It ends with the unit, such as _bytes, and after that with
	// _total if it only grows.
	Name  string
	Help  string // a sentence for people who look at a graph
	Value float64
	Times *Times
	Stage string // a label; "": none
}

// StageLabel is the name of the label.
const StageLabel = "stage"

// FullName is the name under which Collect shows a metric.
func FullName(subsystem string, m Metric) string {
	return prometheus.BuildFQName("analyzer", subsystem, m.Name)
}

// Source shows all metrics of a process. It may be called at any time, concurrently.
type Source func(show func(Metric))

// Fields shows the counters of a struct: its fields of type atomic.Int64 and Times that have
// tags with a metric's name and help. stage is their label.
func Fields(counts any, stage string, show func(Metric)) {
	for field, value := range reflect.ValueOf(counts).Elem().Fields() {
		m := Metric{Name: field.Tag.Get("metric"), Help: field.Tag.Get("help"), Stage: stage}
		if m.Name == "" {
			continue
		}
		switch count := value.Addr().Interface().(type) {
		case *atomic.Int64:
			m.Value = float64(count.Load())
		case *Times:
			m.Times = count
		}
		show(m)
	}
}

// Collector is what Prometheus asks for metrics.
type Collector = prometheus.Collector

// Collect makes a Collector of a source, which is called at each scrape. rows_total of
// subsystem “worker” is shown as analyzer_worker_rows_total.
func Collect(subsystem string, source Source) Collector {
	return collector(func(out chan<- prometheus.Metric) {
		source(func(m Metric) { out <- m.shown(subsystem) })
	})
}

// collector sends all current metrics. It describes none beforehand, since stages come and
// go.
type collector func(out chan<- prometheus.Metric)

func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(out chan<- prometheus.Metric) { c(out) }

func (m Metric) shown(subsystem string) prometheus.Metric {
	var names, values []string
	if m.Stage != "" {
		names, values = []string{StageLabel}, []string{m.Stage}
	}
	desc := prometheus.NewDesc(FullName(subsystem, m), m.Help, names, nil)
	if m.Times != nil {
		return m.Times.shown(desc, values)
	}
	kind := prometheus.GaugeValue
	if strings.HasSuffix(m.Name, "_total") {
		kind = prometheus.CounterValue
	}
	return prometheus.MustNewConstMetric(desc, kind, m.Value, values...)
}

// bounds are the upper bounds of the buckets of Times, in seconds: from a quarter of a
// millisecond, by factors of four, to more than a minute.
var bounds = [...]float64{0.00025, 0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384, 65.536}

// Times is a histogram of durations. The zero value is ready to use, and it may be used
// concurrently.
type Times struct {
	mu      sync.Mutex
	buckets [len(bounds)]uint64
	count   uint64
	sum     float64 // seconds
}

// Observe adds one duration.
func (t *Times) Observe(took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	seconds := took.Seconds()
	t.count, t.sum = t.count+1, t.sum+seconds
	for i, most := range bounds {
		if seconds <= most {
			t.buckets[i]++
			return
		}
	}
}

func (t *Times) shown(desc *prometheus.Desc, labels []string) prometheus.Metric {
	t.mu.Lock()
	defer t.mu.Unlock()
	upTo, n := make(map[float64]uint64), uint64(0)
	for i, most := range bounds {
		n += t.buckets[i]
		upTo[most] = n
	}
	return prometheus.MustNewConstHistogram(desc, t.count, t.sum, upTo, labels...)
}

// machine shows how busy this process's machine is, if it has a /proc: processes that share
// processors each have fewer than they may use.
func machine(show func(Metric)) {
	fs, err := procfs.NewDefaultFS()
	if err != nil {
		return
	}
	stat, err := fs.Stat()
	if err != nil {
		return
	}
	cpu := stat.CPUTotal
	show(Metric{
		Name: "cpu_seconds_total", Help: "Time for which processors of the machine were busy, whoever kept them so.",
		Value: cpu.User + cpu.Nice + cpu.System + cpu.IRQ + cpu.SoftIRQ + cpu.Steal,
	})
	show(Metric{Name: "cpus", Help: "Processors of the machine.", Value: float64(len(stat.CPU))})
	show(Metric{Name: "boot_time_seconds", Help: "When the machine began, as Unix time: processes that share it say the same.", Value: float64(stat.BootTime)})
}
