package rabbit

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"analyzer/shuffle/broker"
)

// script is a server that speaks just enough AMQP to take messages, and confirms them
// as a test has it do.
type script struct {
	net.Conn
	published int // messages
	after     int // so many messages it says its lines
	lines     [][]byte
}

// method is a frame of a channel with a method of a class and its arguments.
func method(channel, class, number uint16, arguments ...byte) []byte {
	f := binary.BigEndian.AppendUint16([]byte{1}, channel)
	f = binary.BigEndian.AppendUint32(f, uint32(4+len(arguments)))
	f = binary.BigEndian.AppendUint16(f, class)
	f = binary.BigEndian.AppendUint16(f, number)
	return append(append(f, arguments...), 0xCE)
}

// settle is basic.ack or basic.nack of a delivery tag, or of all up to it.
func settle(number uint16, tag uint64, multiple byte) []byte {
	return method(1, 60, number, append(binary.BigEndian.AppendUint64(nil, tag), multiple)...)
}

const ack, nack = 80, 120

// answers are what the server says to a method, by class and number.
var answers = map[[2]uint16][]byte{
	{10, 31}: nil, // connection.tune-ok
	{10, 40}: method(0, 10, 41, 0),
	{10, 50}: method(0, 10, 51),
	{20, 10}: method(1, 20, 11, 0, 0, 0, 0),
	{20, 40}: method(1, 20, 41),
	{85, 10}: method(1, 85, 11),
	{60, 40}: nil, // basic.publish
	// connection.start-ok: tune
	{10, 11}: method(0, 10, 30, 0, 10, 0, 2, 0, 0, 0, 10),
}

func (s *script) serve() error {
	if _, err := io.ReadFull(s, make([]byte, 8)); err != nil {
		return err
	}
	start := []byte("\x00\x09\x00\x00\x00\x00\x00\x00\x00\x05PLAIN\x00\x00\x00\x05en_US")
	if _, err := s.Write(method(0, 10, 10, start...)); err != nil {
		return err
	}
	for {
		head := make([]byte, 7)
		if _, err := io.ReadFull(s, head); err != nil {
			return err
		}
		body := make([]byte, binary.BigEndian.Uint32(head[3:])+1)
		if _, err := io.ReadFull(s, body); err != nil {
			return err
		}
		var say []byte
		switch head[0] {
		case 1:
			say = answers[[2]uint16{binary.BigEndian.Uint16(body), binary.BigEndian.Uint16(body[2:])}]
		case 3: // each message has one byte, and so one frame
			if s.published++; s.published == s.after {
				for _, l := range s.lines {
					say = append(say, l...)
				}
			}
		}
		if _, err := s.Write(say); err != nil {
			return err
		}
	}
}

// TestConfirmsOutOfOrder makes a broker refuse the second of three messages, and then
// confirm all up to the third, as RabbitMQ does when a queue has no leader for a while. The
// later confirm must not count for the refused message.
func TestConfirmsOutOfOrder(t *testing.T) {
	for name, c := range map[string]struct {
		lines [][]byte
		want  [3]bool // confirmed
	}{
		"each":          {[][]byte{settle(ack, 1, 0), settle(ack, 2, 0), settle(nack, 3, 0)}, [3]bool{true, true, false}},
		"all":           {[][]byte{settle(ack, 3, 1)}, [3]bool{true, true, true}},
		"one was not":   {[][]byte{settle(nack, 2, 0), settle(ack, 3, 1)}, [3]bool{true, false, true}},
		"one alone was": {[][]byte{settle(ack, 2, 0), settle(nack, 3, 1)}, [3]bool{false, true, false}},
		"backwards":     {[][]byte{settle(ack, 3, 0), settle(nack, 2, 0), settle(ack, 1, 0)}, [3]bool{true, false, true}},
	} {
		t.Run(name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			must(t, err)
			defer func() { _ = l.Close() }()
			go func() {
				for {
					conn, err := l.Accept()
					if err != nil {
						return
					}
					go func() {
						_ = (&script{Conn: conn, after: 3, lines: c.lines}).serve()
						_ = conn.Close()
					}()
				}
			}()
			b, err := Open(Config{URL: fmt.Sprintf("amqp://guest:guest@%s/", l.Addr())})
			must(t, err)
			defer func() { must(t, b.Close()) }()
			type result struct {
				message int
				err     error
			}
			results := make(chan result, 3)
			for i := range 3 {
				must(t, b.Publish(soon(t), "q", []byte{byte(i)}, func(err error) { results <- result{i, err} }))
			}
			for range 3 {
				r := <-results
				if (r.err == nil) != c.want[r.message] || r.err != nil && !errors.Is(r.err, broker.ErrUnconfirmed) {
					t.Errorf("message %d: %v, want that it is confirmed: %v", r.message, r.err, c.want[r.message])
				}
			}
		})
	}
}
