package main

import (
	"io"
	"strings"

	"analyzer/compose/cluster/gateway"
	"analyzer/compose/cluster/membership"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/worker"
	"analyzer/shuffle/broker"
)

// showMetrics prints what processes of a cluster show at /metrics.
func showMetrics(w io.Writer) error {
	var b strings.Builder
	b.WriteString(folded("What gateways and workers of a cluster show at /metrics of their --http, beside what Go and the system say "+
		"of processes (go_…, process_…). Names that end with _total only grow; those that end with _seconds are histograms.", ""))
	for _, part := range []struct {
		title, subsystem string
		source           monitor.Source
	}{
		{"Gateways", string(membership.Gateway), new(gateway.Metrics).Each},
		{"Workers", string(membership.Worker), worker.Described},
		{"Both, about the broker", brokerSubsystem, func(show func(monitor.Metric)) { showBroker(new(broker.Counters), broker.Away, show) }},
	} {
		b.WriteString("\n" + strings.ToUpper(part.title) + "\n")
		part.source(func(m monitor.Metric) {
			label := ""
			if m.Stage != "" {
				label = "{" + monitor.StageLabel + "}"
			}
			b.WriteString("\n  " + monitor.FullName(part.subsystem, m) + label + "\n" + folded(m.Help, "      "))
		})
	}
	_, err := io.WriteString(w, b.String())
	return err
}
