package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// cluster is one that was started.
type cluster struct {
	cmd      *exec.Cmd
	gateway  string
	monitors map[string]string // URL of metrics by process
	said     chan struct{}     // closed when it says no more
}

// startCluster starts a cluster and waits until it takes jobs.
func startCluster(ctx context.Context, p programs, replicas int) (*cluster, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	up := &cluster{gateway: l.Addr().String(), monitors: make(map[string]string), said: make(chan struct{})}
	if err := l.Close(); err != nil {
		return nil, err
	}
	up.cmd = exec.CommandContext(ctx, p.analyzer, "cluster", "up", "--replicas", strconv.Itoa(replicas), "--listen", up.gateway)
	up.cmd.Cancel = func() error { return up.cmd.Process.Signal(syscall.SIGTERM) }
	up.cmd.Env = append(os.Environ(), p.env()...)
	said, err := up.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := up.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting the cluster: %w", err)
	}
	ready := make(chan error, 1)
	go up.listen(said, ready)
	if err := <-ready; err != nil {
		return nil, errors.Join(err, up.cmd.Wait())
	}
	return up, nil
}

// listen reads what the cluster says until it ends.
func (u *cluster) listen(said io.Reader, ready chan<- error) {
	defer close(u.said)
	var last string
	for lines := bufio.NewScanner(said); lines.Scan(); {
		last = lines.Text()
		if name, url, ok := strings.Cut(strings.TrimSpace(last), ": http"); ok {
			u.monitors[name] = "http" + url
		}
		if strings.HasPrefix(last, "The cluster is ready") {
			ready <- nil
			ready = make(chan error, 1)
		}
	}
	ready <- fmt.Errorf("the cluster ended: %s", last)
}

func (u *cluster) stop() error {
	if err := u.cmd.Process.Signal(os.Interrupt); err != nil {
		return err
	}
	<-u.said
	return u.cmd.Wait()
}

// cpu is the processor seconds of a cluster's processes.
type cpu struct{ gateways, workers, broker float64 }

// of returns what was used since before, by one of so many runs.
func (c cpu) of(before cpu, runs float64) cpu {
	return cpu{(c.gateways - before.gateways) / runs, (c.workers - before.workers) / runs, (c.broker - before.broker) / runs}
}

func (u *cluster) cpu(ctx context.Context) (sum cpu, err error) {
	for name, url := range u.monitors {
		seconds, err := cpuSeconds(ctx, url)
		if err != nil {
			return sum, fmt.Errorf("metrics of %s: %w", name, err)
		}
		if strings.HasPrefix(name, "gateway") {
			sum.gateways += seconds
		} else {
			sum.workers += seconds
		}
	}
	sum.broker = brokerSeconds(u.cmd.Process.Pid)
	return sum, nil
}

func cpuSeconds(ctx context.Context, url string) (float64, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, err
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	for lines := bufio.NewScanner(response.Body); lines.Scan(); {
		if value, ok := strings.CutPrefix(lines.Text(), "process_cpu_seconds_total "); ok {
			return strconv.ParseFloat(value, 64)
		}
	}
	return 0, errors.New("there is no process_cpu_seconds_total")
}
