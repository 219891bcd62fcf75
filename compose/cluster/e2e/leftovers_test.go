package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Leftovers waits until the cluster has no job, and fails the test if anything is
// left of those there were: state, files for what did not fit into memory, or
// queues. Of queues there may be those of workers for requests, and of gateways
// that live for answers. It takes seconds, most of them for the queues.
func (c *Cluster) Leftovers() {
	c.t.Helper()
	c.Quiet()
	c.await("queues to be gone", func() (string, bool) {
		left := c.queues()
		return strings.Join(left, " "), len(left) == 0
	})
}

// Quiet is Leftovers without the queues, which are not gone sooner than the state.
func (c *Cluster) Quiet() {
	c.t.Helper()
	c.await("files to be gone", func() (string, bool) {
		left := append(c.files("state-*", "jobs", "*"), c.Spilled()...)
		return strings.Join(left, " "), len(left) == 0
	})
	c.await("the list of jobs to be empty", func() (string, bool) {
		list, trouble := c.jobs()
		return fmt.Sprintf("%d jobs, silent %v %s", len(list.Jobs), list.Silent, trouble),
			trouble == "" && len(list.Jobs)+len(list.Silent) == 0
	})
}

// files returns what matches a pattern below the cluster's directory.
func (c *Cluster) files(pattern ...string) []string {
	found, err := filepath.Glob(filepath.Join(append([]string{c.dir}, pattern...)...))
	if err != nil {
		c.t.Fatal(err)
	}
	return found
}

// Tombstones returns how many ended jobs the workers remember.
func (c *Cluster) Tombstones() int { return len(c.files("state-*", "ended", "*")) }

// Scratch returns a new directory for files of the test.
func (c *Cluster) Scratch() string {
	c.t.Helper()
	dir, err := os.MkdirTemp(c.dir, "files-")
	if err != nil {
		c.t.Fatal(err)
	}
	return dir
}

// queues returns the queues that should not be there: all but those of the cluster's
// processes.
func (c *Cluster) queues() (left []string) {
	c.t.Helper()
	gateways := 0
	for _, name := range c.Queues() {
		switch {
		case strings.HasPrefix(name, "analyzer.control."):
		case strings.HasPrefix(name, "analyzer.gateway.") && gateways < len(c.gateways):
			gateways++
		default:
			left = append(left, name)
		}
	}
	return left
}

// Queues returns the names of all queues that the cluster has at the broker.
func (c *Cluster) Queues() []string {
	c.t.Helper()
	return c.vhost.Queues()
}

// Spilled returns the directories of what does not fit into memory, of workers and
// gateways.
func (c *Cluster) Spilled() []string {
	return append(c.files("state-*", "spill", "*"), c.files("spill", "*")...)
}
