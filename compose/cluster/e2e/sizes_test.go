package e2e_test

import (
	"fmt"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/datasets/catalog"
)

// TestGroupCommit answers queries where one worker writes down each message by itself,
// and the other one waits for as many as can be.
func TestGroupCommit(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	for i, settings := range []map[string]string{
		{"--prefetch": "1", "--commit-bytes": "1", "--commit-interval": "1ns"},
		{"--prefetch": "65535", "--commit-bytes": "1GiB", "--commit-interval": "1h"},
	} {
		for flag, value := range settings {
			c.Worker(i).Give(flag, value)
		}
		c.Worker(i).Kill()
	}
	c.Exact(c.Submit(t.Context(), "movies", "--block-size", "64KiB"), "movies")
	c.Quiet()
}

// TestEverySize answers all queries on clusters of different sizes.
func TestEverySize(t *testing.T) {
	t.Parallel()
	for _, size := range []struct{ workers, gateways int }{{1, 3}, {2, 1}, {3, 3}, {5, 1}} {
		if testing.Short() && size.workers != 3 {
			continue
		}
		t.Run(fmt.Sprintf("%d workers, %d gateways", size.workers, size.gateways), func(t *testing.T) {
			t.Parallel()
			c := shared.Start(t, e2e.Options{Workers: size.workers, Gateways: size.gateways})
			var clients []*e2e.Client
			for _, d := range catalog.All() {
				clients = append(clients, c.Begin(t.Context(), "", c.Submission(d.Name, "--block-size", "16KiB")...))
			}
			for i, d := range catalog.All() {
				c.Exact(clients[i].Wait(), d.Name)
			}
			c.Leftovers()
		})
	}
}
