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
func Collect(subsystem string, source Source, gauges ...string) Collector {
	return collector(func(out chan<- prometheus.Metric) {
		source(func(name string, value int64) { out <- metric(subsystem, name, gauges, value) })
	})
}

// Parts is a Source of which each value is of one of several parts.
type Parts func(f func(part, name string, value int64))

// CollectBy makes metrics of what is counted for each of several parts, which a
// label tells apart, as analyzer_worker_stage_rows_total{stage="3"}.
func CollectBy(subsystem, label string, source Parts) Collector {
	return collector(func(out chan<- prometheus.Metric) {
		source(func(part, name string, value int64) {
			out <- metric(subsystem+"_"+label, name, nil, value, label, part)
		})
	})
}

// collector sends all metrics there are. It describes none beforehand, since parts
// come and go.
type collector func(out chan<- prometheus.Metric)

func (c collector) Describe(chan<- *prometheus.Desc) {}

func (c collector) Collect(out chan<- prometheus.Metric) { c(out) }

// metric makes a metric with at most one label.
func metric(subsystem, name string, gauges []string, value int64, label ...string) prometheus.Metric {
	kind, shown := prometheus.CounterValue, name+"_total"
	if slices.Contains(gauges, name) {
		kind, shown = prometheus.GaugeValue, name
	}
	var names, values []string
	if len(label) == 2 {
		names, values = label[:1], label[1:]
	}
	desc := prometheus.NewDesc(prometheus.BuildFQName("analyzer", subsystem, shown), "Of this "+subsystem+": "+name+".", names, nil)
	return prometheus.MustNewConstMetric(desc, kind, float64(value), values...)
}
