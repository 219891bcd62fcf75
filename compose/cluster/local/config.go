package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"analyzer/process"
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
	// PagePort is the port of the first gateway's page, on this machine; those of the others
	// follow. 0: free ones behind those of the gateways.
	PagePort int
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
	Pages    []string          // host:port of each gateway's page
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
	return addresses, errors.Join(err, tryListen("a gateway", addresses...))
}

// FreeStatus fails if the address of the first supervisor's page is taken.
func (cfg Config) FreeStatus() error {
	if cfg.Supervisors == 0 {
		return nil
	}
	return tryListen("a supervisor", cfg.Status)
}

// FreePages fails if a port that PagePort names is taken, or is for something else of the
// cluster.
func (cfg Config) FreePages() error {
	if cfg.PagePort == 0 {
		return nil
	}
	if cfg.PagePort < 1 || cfg.PagePort+cfg.Gateways > 1<<16 {
		return fmt.Errorf("there are no %d ports from %d on", cfg.Gateways, cfg.PagePort)
	}
	for _, port := range cfg.chosenPorts() {
		if port >= cfg.PagePort && port < cfg.PagePort+cfg.Gateways {
			return fmt.Errorf("port %d is for the page of a gateway, and for something else of the cluster", port)
		}
	}
	return tryListen("the page of a gateway", cfg.chosenPages()...)
}

// chosenPages returns the addresses that PagePort names.
func (cfg Config) chosenPages() []string {
	pages := make([]string, cfg.Gateways)
	for i := range pages {
		pages[i] = process.Address(cfg.PagePort + i)
	}
	return pages
}

// chosenPorts returns the ports of the gateways and of the first supervisor's page.
func (cfg Config) chosenPorts() (ports []int) {
	addresses, _ := cfg.GatewayAddresses() // none if they are wrong, which is an error elsewhere
	if cfg.Supervisors > 0 {
		addresses = append(addresses, cfg.Status)
	}
	for _, address := range addresses {
		if _, text, err := net.SplitHostPort(address); err == nil {
			port, _ := net.LookupPort("tcp", text) // likewise
			ports = append(ports, port)
		}
	}
	return ports
}

// claimPages returns the addresses of the gateways' pages, and claims their ports.
func (cfg Config) claimPages(claims *process.PortClaims) (pages []string, err error) {
	chosen := cfg.chosenPorts()
	for _, port := range chosen {
		claims.Take(port) // so that it becomes no page; nothing else needs the claim
	}
	if cfg.PagePort == 0 {
		ports, err := claims.ClaimFrom(chosen[cfg.Gateways-1]+1, cfg.Gateways)
		for _, port := range ports {
			pages = append(pages, process.Address(port))
		}
		return pages, err
	}
	for i, page := range cfg.chosenPages() {
		if !claims.Take(cfg.PagePort + i) {
			return nil, fmt.Errorf("another cluster is about to listen on %s", page)
		}
	}
	return cfg.chosenPages(), nil
}

// tryListen fails if who cannot listen on an address.
func tryListen(who string, addresses ...string) (err error) {
	for _, address := range addresses {
		l, failed := net.Listen("tcp", address)
		if failed != nil {
			err = errors.Join(err, fmt.Errorf("%s cannot listen on %s: %w", who, address, failed))
			continue
		}
		err = errors.Join(err, l.Close())
	}
	return err
}
