package main

import (
	"fmt"
	"slices"

	"analyzer/bench"
)

// panel is one diagram: lines over named places.
type panel struct {
	title, x, y string
	places      []string
	lines       []line
}

// line is a value for each place.
type line struct {
	name   string
	values []value
	bound  bool // it is no measurement but what one should stay under
}

// value is a spread of measurements, if there are any.
type value struct {
	known             bool
	low, middle, high float64
}

// panelsOf chooses the diagrams that have something to show.
func panelsOf(r *bench.Result) []*panel {
	replicas, limits := swept(r)
	var all []*panel
	if len(replicas) > 1 || len(limits) == 1 {
		p := &panel{title: r.Name + ": throughput", x: "replicas", y: "MB/s", places: names(replicas, replicaName)}
		for _, m := range limits {
			p.lines = append(p.lines, line{"memory " + limitText(m), over(replicas, func(n int) value { return throughput(r, n, m) }), false})
		}
		all = append(all, p)
	}
	if len(limits) > 1 {
		p := &panel{title: r.Name + ": throughput", x: "memory limit, MiB", y: "MB/s", places: names(limits, limitName)}
		for _, n := range replicas {
			p.lines = append(p.lines, line{"replicas " + replicaName(n), over(limits, func(m int64) value { return throughput(r, n, m) }), false})
		}
		all = append(all, p)
	}
	if slices.ContainsFunc(limits, func(m int64) bool { return m > 0 }) {
		all = append(all, peaks(r, replicas, limits))
	}
	return all
}

// peaks shows peak memory beside what was allowed.
func peaks(r *bench.Result, replicas []int, limits []int64) *panel {
	p := &panel{title: r.Name + ": peak memory", x: "memory limit, MiB", y: "MiB", places: names(limits, limitName)}
	for _, n := range replicas {
		p.lines = append(p.lines, line{"replicas " + replicaName(n), over(limits, func(m int64) value { return peak(r, n, m) }), false})
	}
	allowed := over(limits, func(m int64) value {
		most := float64(m+bench.MemorySlack) / (1 << 20)
		return value{m > 0, most, most, most}
	})
	p.lines = append(p.lines, line{fmt.Sprintf("limit and %d MiB", bench.MemorySlack>>20), allowed, true})
	return p
}

// swept returns the different settings of a sweep, in order.
func swept(r *bench.Result) (replicas []int, limits []int64) {
	for _, p := range r.Points {
		if !slices.Contains(replicas, p.Replicas) {
			replicas = append(replicas, p.Replicas)
		}
		if !slices.Contains(limits, p.Memory) {
			limits = append(limits, p.Memory)
		}
	}
	return replicas, limits
}

func throughput(r *bench.Result, replicas int, limit int64) value {
	for _, p := range r.Points {
		if p.Replicas == replicas && p.Memory == limit {
			s := p.BytesPerSecond()
			return value{true, s.Min / 1e6, s.Median / 1e6, s.Max / 1e6}
		}
	}
	return value{}
}

func peak(r *bench.Result, replicas int, limit int64) value {
	for _, p := range r.Points {
		if p.Replicas == replicas && p.Memory == limit {
			s := p.Peak()
			return value{true, float64(s.Min) / (1 << 20), float64(s.Median) / (1 << 20), float64(s.Max) / (1 << 20)}
		}
	}
	return value{}
}

func over[T any](settings []T, of func(T) value) []value {
	values := make([]value, len(settings))
	for i, s := range settings {
		values[i] = of(s)
	}
	return values
}

func names[T any](settings []T, of func(T) string) []string {
	all := make([]string, len(settings))
	for i, s := range settings {
		all[i] = of(s)
	}
	return all
}

func replicaName(n int) string {
	if n == 0 {
		return "default"
	}
	return fmt.Sprint(n)
}

func limitName(m int64) string {
	if m == 0 {
		return "default"
	}
	return fmt.Sprint(m >> 20)
}

func limitText(m int64) string {
	if m == 0 {
		return "default"
	}
	return limitName(m) + " MiB"
}
