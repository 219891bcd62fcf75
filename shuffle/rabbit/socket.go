package rabbit

import (
	"net"
	"sync/atomic"
	"time"
)

// socket is the connection that the AMQP library gets.
//
// It sets the read deadline itself. The library sets the deadline from the goroutine
// that also sends heartbeats. During an alarm of the broker that goroutine can be stuck
// in a write, and a connection that is merely blocked would look dead.
//
// It closes itself when reading ends. The library closes it only after it has
// taken the locks of its channels, and a stuck write may hold one of those.
type socket struct {
	net.Conn
	patience atomic.Int64 // nanoseconds; zero until armed
}

// arm makes reads fail, from now on, when nothing comes for as long as patience. Read
// deadlines set by others are then ignored.
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
