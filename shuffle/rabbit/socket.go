package rabbit

import (
	"net"
	"sync/atomic"
	"time"
)

// socket is a connection as the AMQP library gets it.
//
// It keeps the time for reading itself. The library sets the deadline from the
// goroutine that also sends heartbeats, which an alarm of the broker can keep in
// a write, and a connection that is merely blocked would look dead.
//
// It closes itself when reading ends. The library closes it only after it has
// taken the locks of its channels, one of which a write that is stuck may hold.
type socket struct {
	net.Conn
	patience atomic.Int64 // nanoseconds; zero until armed
}

// arm ends the connection when nothing is read for as long as patience, from now
// on. Deadlines for reading set by others no longer count.
func (s *socket) arm(patience time.Duration) {
	s.patience.Store(int64(patience))
	s.extend(patience)
}

func (s *socket) extend(patience time.Duration) {
	if patience > 0 {
		_ = s.Conn.SetReadDeadline(time.Now().Add(patience)) // fails when closed, as Read then does
	}
}

func (s *socket) Read(p []byte) (int, error) {
	s.extend(time.Duration(s.patience.Load()))
	n, err := s.Conn.Read(p)
	if err != nil {
		_ = s.Conn.Close()
	}
	return n, err
}

func (s *socket) SetReadDeadline(t time.Time) error {
	if s.patience.Load() > 0 {
		return nil
	}
	return s.Conn.SetReadDeadline(t)
}
