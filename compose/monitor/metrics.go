package monitor

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Collector is what Prometheus asks for metrics.
type Collector = prometheus.Collector

// Source tells names, in snake case, and values of what a process counts. It may
// be called at any time, concurrently, and tells the same names every time.
type Source func(f func(name string, value int64))

// Collect makes metrics of a source, which is asked whenever somebody looks. Name
// “rows” of subsystem “worker” is shown as analyzer_worker_rows_total, or as
// analyzer_worker_rows where it is among the gauges, which go up and down.
func Collect(subsystem string, labels map[string]string, source Source, gauges ...string) Collector {
	return &collector{subsystem: subsystem, labels: labels, source: source, gauges: gauges}
}

type collector struct {
	subsystem string
	labels    prometheus.Labels
	source    Source
	gauges    []string
}

// Describe tells of all metrics of the source.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	c.source(func(name string, _ int64) {
		desc, _ := c.metric(name)
		out <- desc
	})
}

// Collect tells all values.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	c.source(func(name string, value int64) {
		desc, kind := c.metric(name)
		out <- prometheus.MustNewConstMetric(desc, kind, float64(value))
	})
}

func (c *collector) metric(name string) (*prometheus.Desc, prometheus.ValueType) {
	kind, shown := prometheus.CounterValue, name+"_total"
	if slices.Contains(c.gauges, name) {
		kind, shown = prometheus.GaugeValue, name
	}
	full := prometheus.BuildFQName("analyzer", c.subsystem, shown)
	return prometheus.NewDesc(full, "Of this "+c.subsystem+": "+name+".", nil, c.labels), kind
}
