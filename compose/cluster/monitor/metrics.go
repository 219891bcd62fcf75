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

// Metric is a number that a process shows, or, with Times, how long something took
// again and again.
type Metric struct {
	// Name is in snake case and ends with the unit, such as _bytes, and then with
	// _total where it only grows.
	Name  string
	Help  string // a sentence for whoever looks at a graph
	Value float64
	Times *Times
	Stage string // a label; "": of no stage
}

// stageLabel is the name of the label.
const stageLabel = "stage"

// Source tells all metrics of a process. It may be called at any time, concurrently.
type Source func(show func(Metric))

// Fields shows the counts of a struct: its fields of type atomic.Int64 and Times that have
// tags with the metric's name and help. stage is their label.
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

// Collect makes metrics of a source, which is asked whenever somebody looks.
// rows_total of subsystem “worker” is shown as analyzer_worker_rows_total.
func Collect(subsystem string, source Source) Collector {
	return collector(func(out chan<- prometheus.Metric) {
		source(func(m Metric) { out <- m.shown(subsystem) })
	})
}

// collector sends all metrics there are. It describes none beforehand, since stages
// come and go.
type collector func(out chan<- prometheus.Metric)

func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(out chan<- prometheus.Metric) { c(out) }

func (m Metric) shown(subsystem string) prometheus.Metric {
	var names, values []string
	if m.Stage != "" {
		names, values = []string{stageLabel}, []string{m.Stage}
	}
	desc := prometheus.NewDesc(prometheus.BuildFQName("analyzer", subsystem, m.Name), m.Help, names, nil)
	if m.Times != nil {
		return m.Times.shown(desc, values)
	}
	kind := prometheus.GaugeValue
	if strings.HasSuffix(m.Name, "_total") {
		kind = prometheus.CounterValue
	}
	return prometheus.MustNewConstMetric(desc, kind, m.Value, values...)
}

// bounds are those of the buckets of Times, in seconds: from a quarter of a
// millisecond, by fours, to more than a minute.
var bounds = [...]float64{0.00025, 0.001, 0.004, 0.016, 0.064, 0.256, 1.024, 4.096, 16.384, 65.536}

// Times is a histogram of how long something took. Its zero value is ready, and it
// may be used concurrently.
type Times struct {
	mu      sync.Mutex
	buckets [len(bounds)]uint64
	count   uint64
	sum     float64 // seconds
}

// Observe counts one more.
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

// machine tells how busy the machine of this process is, where that has a /proc:
// processes that share processors each have fewer than they may use.
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
