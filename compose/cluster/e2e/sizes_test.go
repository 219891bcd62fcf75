package e2e_test

import (
	"fmt"
	"strings"
	"testing"

	"analyzer/compose/cluster/e2e"
	"analyzer/datasets/catalog"
)

// TestGroupCommit answers queries where workers write down each message by itself,
// and where they wait for as many as can be.
func TestGroupCommit(t *testing.T) {
	lengthy(t)
	for _, flags := range [][]string{
		{"--prefetch", "1", "--commit-bytes", "1", "--commit-interval", "1ns"},
		{"--prefetch", "65535", "--commit-bytes", "1GiB", "--commit-interval", "1h"},
	} {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			c := shared.Start(t, e2e.Options{WorkerFlags: flags})
			c.Exact(c.Submit(t.Context(), "movies", "--block-size", "64KiB"), "movies")
			c.Quiet()
		})
	}
}

// TestEverySize answers all queries on clusters of different sizes.
func TestEverySize(t *testing.T) {
	for _, workers := range []int{1, 2, 3, 5} {
		for _, gateways := range []int{1, 3} {
			if testing.Short() && (workers != 3 || gateways != 3) {
				continue
			}
			t.Run(fmt.Sprintf("%d workers, %d gateways", workers, gateways), func(t *testing.T) {
				c := shared.Start(t, e2e.Options{Workers: workers, Gateways: gateways})
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
}
