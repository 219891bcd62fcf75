package process

import (
	"errors"
	"math/rand/v2"
	"net"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Loopback is this machine's loopback address, which other machines cannot reach.
const Loopback = "127.0.0.1"

// Ports are taken from below the range that the system uses for outgoing connections, so that
// the successor of a killed process finds its ports free.
const lowestPort, portRange = 20000, 10000

// FreePorts returns n ports of Loopback that nobody listens on.
func FreePorts(n int) ([]int, error) {
	var ports []int
	for range 1000 {
		if len(ports) == n {
			return ports, nil
		}
		if p := lowestPort + rand.IntN(portRange); !slices.Contains(ports, p) && free(p) {
			ports = append(ports, p)
		}
	}
	return nil, errors.New("find free ports: there are none")
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
