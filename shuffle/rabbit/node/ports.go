package node

import (
	"errors"
	"math/rand/v2"
	"net"
	"strconv"
)

// Ports are taken from below those that the system gives to outgoing
// connections, so that a node that was killed finds its ports free again.
const lowestPort, portRange = 20000, 10000

// freePorts returns n ports of the loopback interface that nobody listens on.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range 1000 {
		if len(ports) == n {
			return ports, nil
		}
		p := lowestPort + rand.IntN(portRange)
		l, err := net.Listen("tcp", net.JoinHostPort(loopback, strconv.Itoa(p)))
		if err != nil {
			continue
		}
		defer func() { _ = l.Close() }() // held until all are found, so that they differ
		ports = append(ports, p)
	}
	return nil, errors.New("no free port")
}
