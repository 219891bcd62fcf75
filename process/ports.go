package process

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
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
		p := lowestPort + rand.IntN(portRange)
		l, err := net.Listen("tcp", Address(p))
		if err != nil {
			continue
		}
		defer func() { _ = l.Close() }() // held until all are found, so that they differ
		ports = append(ports, p)
	}
	return nil, errors.New("find free ports: there are none")
}

// Address is where on this machine a port is.
func Address(port int) string { return net.JoinHostPort(Loopback, strconv.Itoa(port)) }
