package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"
)

// Config says what to run.
type Config struct {
	Program  string // path of this program
	Workers  int
	Gateways int
	// Supervisors is how many supervisors keep the others running; 0: this process does.
	Supervisors int
	// Status is the host:port of the first supervisor's page.
	Status string
	// Listen is where the first gateway listens, host:port; the others listen on
	// the ports that follow.
	Listen string
	// Broker is the broker's connection string, which is secret; "": the cluster runs its own
	// RabbitMQ node.
	Broker string
	// State is the directory for everything, which is kept; "": a temporary one.
	State string
	// WorkerFlags, GatewayFlags and SupervisorFlags are added to the command lines of the
	// processes, and so must not be secret.
	WorkerFlags, GatewayFlags, SupervisorFlags []string
	Env                                        []string // added to the environment of the processes, as NAME=value

	// Probe reports whether the cluster takes jobs.
	Probe func(ctx context.Context) error
	// Ready is called once the cluster takes jobs.
	Ready func(Addresses)
	// Notice is told, in words for people, of processes that die. It is called from any
	// goroutine.
	Notice func(text string)
}

// Addresses say where a cluster can be reached.
type Addresses struct {
	Gateways []string          // host:port of each
	Monitors map[string]string // host:port of health and metrics, by process
	Logs     string            // directory
	Status   []string          // host:port of supervisors' pages
}

// grace is how long processes may take to end.
func (cfg Config) grace() time.Duration {
	if cfg.State == "" {
		return 2 * time.Second // nobody will ever read what they leave
	}
	return 20 * time.Second
}

// GatewayAddresses returns where the gateways will listen.
func (cfg Config) GatewayAddresses() ([]string, error) {
	host, text, err := net.SplitHostPort(cfg.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %q: expected host:port", cfg.Listen)
	}
	first, err := net.LookupPort("tcp", text)
	if err != nil || first < 1 || first+cfg.Gateways-1 > 1<<16-1 {
		return nil, fmt.Errorf("listen on %q: there are no %d ports from there on", cfg.Listen, cfg.Gateways)
	}
	out := make([]string, max(cfg.Gateways, 0))
	for i := range out {
		out[i] = net.JoinHostPort(host, fmt.Sprint(first+i))
	}
	return out, nil
}

// FreeAddresses is GatewayAddresses, but fails if an address is taken, before any process is
// started.
func (cfg Config) FreeAddresses() ([]string, error) {
	addresses, err := cfg.GatewayAddresses()
	for _, address := range addresses {
		if listenErr := tryListen(address); listenErr != nil {
			err = errors.Join(err, fmt.Errorf("a gateway cannot listen on %s: %w", address, listenErr))
		}
	}
	return addresses, err
}

// FreeStatus fails if the address of the first supervisor's page is taken.
func (cfg Config) FreeStatus() error {
	if cfg.Supervisors == 0 {
		return nil
	}
	if err := tryListen(cfg.Status); err != nil {
		return fmt.Errorf("a supervisor cannot listen on %s: %w", cfg.Status, err)
	}
	return nil
}

func tryListen(address string) error {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	return l.Close()
}
