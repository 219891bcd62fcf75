package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"analyzer/compose/cluster/protocol"
)

// Config says what to run.
type Config struct {
	Program  string // path of this program
	Workers  int
	Gateways int
	// Listen is where the first gateway listens, host:port; the others listen on
	// the ports that follow.
	Listen string
	// Broker is the broker's connection string, which is secret. "" means a
	// RabbitMQ node of the cluster's own.
	Broker string
	// State is the directory of everything; it is kept. "" means a temporary one.
	State string
	// WorkerFlags and GatewayFlags are added to the commands of the processes,
	// and so must not be secret.
	WorkerFlags, GatewayFlags []string
	Env                       []string // added to that of the processes, as NAME=value

	// Probe reports whether the cluster takes jobs.
	Probe func(ctx context.Context) error
	// Ready is called once it does.
	Ready func(Addresses)
	// Notice is told, for people, of processes that die, from any goroutine.
	Notice func(text string)
	// Grace is how long processes may take to end; 0: 20 s, or 2 s if nobody will
	// ever read what they leave.
	Grace time.Duration
}

// Addresses say where a cluster can be reached.
type Addresses struct {
	Gateways []string          // host:port of each
	Monitors map[string]string // host:port of health and metrics by process
	Logs     string            // directory
}

const (
	defaultGrace   = 20 * time.Second
	temporaryGrace = 2 * time.Second
)

func (c Config) withDefaults() (Config, error) {
	var errs []error
	if c.Workers < 1 || c.Workers > protocol.MaxReplicas {
		errs = append(errs, fmt.Errorf("%d workers; 1 to %d are possible", c.Workers, protocol.MaxReplicas))
	}
	if c.Gateways < 1 || c.Gateways > protocol.MaxReplicas {
		errs = append(errs, fmt.Errorf("%d gateways; 1 to %d are possible", c.Gateways, protocol.MaxReplicas))
	}
	if _, err := c.GatewayAddresses(); err != nil {
		errs = append(errs, err)
	}
	switch {
	case c.Grace == 0 && c.State == "":
		c.Grace = temporaryGrace
	case c.Grace == 0:
		c.Grace = defaultGrace
	}
	return c, errors.Join(errs...)
}

// GatewayAddresses returns where the gateways will listen.
func (c Config) GatewayAddresses() ([]string, error) {
	host, text, err := net.SplitHostPort(c.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: expected host:port", c.Listen)
	}
	first, err := net.LookupPort("tcp", text)
	if err != nil || first < 1 || first+c.Gateways-1 > 1<<16-1 {
		return nil, fmt.Errorf("listen on %q: there are no %d ports from there on", c.Listen, c.Gateways)
	}
	out := make([]string, max(c.Gateways, 0))
	for i := range out {
		out[i] = net.JoinHostPort(host, fmt.Sprint(first+i))
	}
	return out, nil
}

// FreeAddresses is GatewayAddresses, and fails if any of them is taken, before
// anything is started that would only find out.
func (c Config) FreeAddresses() ([]string, error) {
	addresses, err := c.GatewayAddresses()
	for _, address := range addresses {
		l, listenErr := net.Listen("tcp", address)
		if listenErr != nil {
			err = errors.Join(err, fmt.Errorf("a gateway cannot listen on %s: %w", address, listenErr))
			continue
		}
		_ = l.Close()
	}
	return addresses, err
}
