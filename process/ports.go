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

// Loopback is the address of this machine that others cannot reach.
const Loopback = "127.0.0.1"

// Ports are taken from below those that the system gives to outgoing connections,
// so that a process that was killed finds its ports free again.
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

// free reports whether nobody listens on a port. It does not listen itself to find out:
// a process that is forked meanwhile would go on listening until it has become another
// program, and who is given the port would find it taken.
func free(port int) bool {
	c, err := net.DialTimeout("tcp", Address(port), time.Second)
	if err == nil {
		_ = c.Close() // nothing was said
	}
	return errors.Is(err, syscall.ECONNREFUSED)
}

// Address is where on this machine a port is.
func Address(port int) string { return net.JoinHostPort(Loopback, strconv.Itoa(port)) }
