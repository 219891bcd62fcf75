package chaos

import (
	"context"
	"sync"
	"time"

	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/membership"
)

// Watch has a run ask the nodes of a report how the cluster is, and what it uses.
func (c *Config) Watch(report membership.Report) {
	all := &pages{all: pagesOf(report)}
	c.Ask = all.ask
	c.Take = func(ctx context.Context) ([]Taken, error) {
		report, err := all.ask(ctx)
		if err != nil {
			return nil, err
		}
		return Take(load.Of(ctx, report), c.Topology)
	}
}

// pages are the pages of all nodes; the one that answered last comes first.
type pages struct {
	mu  sync.Mutex
	all []string
}

func (g *pages) ask(ctx context.Context) (report membership.Report, err error) {
	for range g.all {
		g.mu.Lock()
		page := g.all[0]
		g.mu.Unlock()
		within, cancel := context.WithTimeout(ctx, 2*time.Second) // longer than a node waits for the leader
		report, err = membership.Ask(within, page)
		cancel()
		if err == nil || ctx.Err() != nil {
			return report, err
		}
		g.mu.Lock()
		if g.all[0] == page {
			g.all = append(g.all[1:len(g.all):len(g.all)], page)
		}
		g.mu.Unlock()
	}
	return report, err
}

// pagesOf returns the pages that can be asked, supervisors first.
func pagesOf(report membership.Report) (pages []string) {
	for _, supervisors := range []bool{true, false} {
		for _, n := range report.Nodes {
			if n.HTTP != "" && (n.Role == membership.Supervisor) == supervisors {
				pages = append(pages, n.HTTP)
			}
		}
	}
	return pages
}
