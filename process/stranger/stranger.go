//go:build unix

// Package stranger sends bytes to a listener as somebody would whom its process does not know,
// and bounds what they cost the process. It is for tests.
package stranger

import (
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"syscall"
	"testing"
	"time"
)

// Bounds on what a connection with some bytes may cost: its own part, and that of each byte.
const (
	memoryOnce, memoryByte = 1 << 20, 256
	timeOnce, timeByte     = 200 * time.Millisecond, 20 * time.Microsecond
	patience               = 30 * time.Second
	attempts               = 3 // others in the process allocate and compute as well
)

// Send sends bytes to a TCP address, nothing after them, and returns what comes back until the
// listener hangs up. It fails the test if that costs more than it may.
func Send(t testing.TB, address string, sent []byte) (answer []byte) {
	t.Helper()
	Bound(t, len(sent), func() (err error) {
		answer, err = send(address, sent)
		return err
	})
	return answer
}

func send(address string, sent []byte) (answer []byte, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	_, err = conn.Write(sent)
	if err == nil {
		err = conn.(*net.TCPConn).CloseWrite()
	}
	if err == nil || hungUp(err) { // it may have been, before all was sent
		answer, err = io.ReadAll(conn)
	}
	if hungUp(err) {
		err = nil
	}
	return answer, err
}

// hungUp reports whether the error says that the other side has closed the connection.
func hungUp(err error) bool {
	return errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ENOTCONN)
}

// Bound fails the test if f fails, or if taking in so many bytes costs this process too much
// memory or computing, each time that it is tried.
func Bound(t testing.TB, bytes int, f func() error) {
	t.Helper()
	beyond := ""
	for range attempts {
		memory, computed := allocated(), computing()
		if err := f(); err != nil {
			t.Fatalf("after %d bytes: %v", bytes, err)
		}
		memory, computed = allocated()-memory, computing()-computed
		if memory <= memoryOnce+memoryByte*uint64(bytes) && computed <= timeOnce+timeByte*time.Duration(bytes) {
			return
		}
		beyond = fmt.Sprintf("%d bytes of a stranger take %d bytes of memory and %v of a processor", bytes, memory, computed)
	}
	t.Error(beyond)
}

func allocated() uint64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.TotalAlloc
}

// computing is the time that this process has computed.
func computing() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
