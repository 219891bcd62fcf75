package process

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
	"syscall"
	"time"
)

// Loopback is this machine's loopback address, which other machines cannot reach.
const Loopback = "127.0.0.1"

// Ports are taken from below the range that the system uses for outgoing connections, so that
// the successor of a killed process finds its ports free.
const lowestPort, portRange = 20000, 10000

// PortClaims keep TCP ports of Loopback for processes that are about to start, or to start
// again after a crash: until Close nobody else gets these ports from a Claim, in this process
// or another. The zero value has none. Methods must not be called concurrently.
type PortClaims struct {
	// Each claim is a UDP socket, on the number portRange above that of the TCP port. So the
	// process that listens on the port need not know of the claim, and the system gives it up
	// when this process ends, however it ends.
	claims []net.PacketConn
}

// Claim returns n more ports, on which nobody listens.
func (p *PortClaims) Claim(n int) ([]int, error) {
	var ports []int
	for range 1000 {
		if len(ports) == n {
			return ports, nil
		}
		if port := lowestPort + rand.IntN(portRange); p.Take(port) {
			ports = append(ports, port)
		}
	}
	return nil, errors.New("find free ports: there are none")
}

// ClaimFrom is Claim, but prefers the ports from first on, in order.
func (p *PortClaims) ClaimFrom(first, n int) ([]int, error) {
	var ports []int
	for port := first; port < first+1000 && len(ports) < n; port++ {
		if p.Take(port) {
			ports = append(ports, port)
		}
	}
	others, err := p.Claim(n - len(ports))
	return append(ports, others...), err
}

// Take claims a port, and reports false if somebody has claimed it or listens on it.
func (p *PortClaims) Take(port int) bool {
	claim, err := net.ListenPacket("udp", Address(port+portRange))
	if err != nil {
		return false
	}
	if !free(port) {
		_ = claim.Close() // nothing was sent
		return false
	}
	p.claims = append(p.claims, claim)
	return true
}

// Close gives up the claims. It may be called again.
func (p *PortClaims) Close() error {
	var errs []error
	for _, c := range p.claims {
		errs = append(errs, c.Close())
	}
	p.claims = nil
	return errors.Join(errs...)
}

// free reports whether nobody listens on a port. It connects instead of listening: a process
// forked meanwhile would inherit the listening socket until it executes another program, and
// the port would seem taken to its new owner.
func free(port int) bool {
	c, err := net.DialTimeout("tcp", Address(port), time.Second)
	if err == nil {
		_ = c.Close() // nothing was said
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Address is the host:port of a port on this machine.
func Address(port int) string { return net.JoinHostPort(Loopback, strconv.Itoa(port)) }
