package rabbit

import (
	"errors"
	"net"
	"os"
	"testing"
	"time"
)

// sockets returns the two ends of a TCP connection, the first one wrapped.
func sockets(t *testing.T) (*socket, net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	a, err := net.Dial("tcp", l.Addr().String())
	must(t, err)
	b, err := l.Accept()
	must(t, err)
	t.Cleanup(func() { a.Close(); b.Close() })
	return &socket{Conn: a}, b
}

// Until it is armed, a socket obeys the deadlines that others set.
func TestSocketBeforeItIsArmed(t *testing.T) {
	s, _ := sockets(t)
	must(t, s.SetReadDeadline(time.Now().Add(-time.Second)))
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read after the deadline: %v", err)
	}
}

// An armed socket lives as long as there is something to read now and then,
// whatever deadlines others set.
func TestSocketKeepsTheTime(t *testing.T) {
	const patience = 2 * time.Second
	s, peer := sockets(t)
	s.arm(patience)
	go func() {
		for range 5 {
			time.Sleep(patience / 4)
			peer.Write([]byte{1})
		}
	}()
	for i := range 5 {
		must(t, s.SetReadDeadline(time.Now().Add(-time.Second)))
		if _, err := s.Read(make([]byte, 1)); err != nil {
			t.Fatalf("byte %d: %v", i, err)
		}
	}
	start := time.Now()
	_, err := s.Read(make([]byte, 1))
	if d := time.Since(start); !errors.Is(err, os.ErrDeadlineExceeded) || d < patience || d > time.Minute {
		t.Errorf("read of silence: %v after %v, want a deadline after %v", err, d, patience)
	}
}

// Arming counts for a read that has begun.
func TestSocketArmedWhileReading(t *testing.T) {
	s, _ := sockets(t)
	failed := make(chan error)
	go func() {
		_, err := s.Read(make([]byte, 1))
		failed <- err
	}()
	time.Sleep(50 * time.Millisecond)
	s.arm(50 * time.Millisecond)
	if err := <-failed; !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("read of silence: %v", err)
	}
}

// The end of reading ends a write that hangs.
func TestSocketEndsWrites(t *testing.T) {
	s, _ := sockets(t)
	written := make(chan error)
	go func() {
		_, err := s.Write(make([]byte, 64<<20)) // the peer does not read
		written <- err
	}()
	s.arm(100 * time.Millisecond)
	if _, err := s.Read(make([]byte, 1)); err == nil {
		t.Error("there was something to read")
	}
	select {
	case err := <-written:
		if !errors.Is(err, net.ErrClosed) {
			t.Errorf("the write ended with %v", err)
		}
	case <-time.After(time.Minute):
		t.Error("the write hangs")
	}
}
