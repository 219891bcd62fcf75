package envelope

import (
	"errors"
	"fmt"
	"math"

	"analyzer/shuffle/broker"
)

// JobID is the 128-bit name of a job.
type JobID [16]byte

// Kind says what a message is.
type Kind uint8

// The kinds of messages.
const (
	Data Kind = 1 // rows
	End  Kind = 2 // how many messages of data there are
)

// Bounds of a message.
const (
	HeaderSize = 72
	// MaxBody is how many bytes a body has at most, so that a broker takes it with
	// the header.
	MaxBody = broker.MaxMessage - HeaderSize
	// MaxJoined is up to how many bytes messages for one queue are joined. More of them
	// cost a broker no less.
	MaxJoined = 256 << 10
	// MaxNumber is the greatest node, input, replica and sender.
	MaxNumber = math.MaxInt32
	// MaxRows is how many rows a message has at most.
	MaxRows = math.MaxInt32 - 1
)

var (
	// ErrInvalid is wrapped by the error of an Envelope that no message can have.
	ErrInvalid = errors.New("invalid envelope")

	// ErrTooLarge is wrapped by the error of a body of more than MaxBody bytes.
	ErrTooLarge = errors.New("message too large")

	// ErrMalformed is wrapped by the error of bytes that are no message.
	ErrMalformed = errors.New("malformed message")

	// ErrVersion is wrapped by the error of a message of another version of the
	// program.
	ErrVersion = errors.New("message of another version")

	// ErrCorrupt is wrapped by the error of a message that is not what was sent.
	ErrCorrupt = errors.New("corrupt message")
)

// Envelope is what is known of a message besides its body.
type Envelope struct {
	Job     JobID
	Node    int // of the plan, who reads the message
	Input   int // of the node
	Replica int // of the receiver
	Sender  Sender
	Kind    Kind
	// ID tells the messages of Data of one sender to one receiver's input apart:
	// 0, 1, 2 …. In a message of kind End it is how many there are, N for ids 0
	// to N-1.
	ID uint64
	// Rows is how many rows the body holds; there is a body when there are rows,
	// and only then.
	Rows int
}

// check returns what is wrong with an envelope in front of so many bytes.
func (e Envelope) check(body int) error {
	for _, n := range [...]int{e.Node, e.Input, e.Replica, e.Sender.Number, e.Sender.Replica} {
		if n < 0 || n > MaxNumber {
			return fmt.Errorf("number %d", n)
		}
	}
	if e.Rows < 0 || e.Rows > MaxRows {
		return fmt.Errorf("%d rows", e.Rows)
	}
	switch {
	case e.Kind != Data && e.Kind != End:
		return fmt.Errorf("kind %d", e.Kind)
	case e.Sender.Kind != Scan && e.Sender.Kind != Stage:
		return fmt.Errorf("sender of kind %d", e.Sender.Kind)
	case e.Sender.Kind == Scan && e.Sender.Replica != 0:
		return fmt.Errorf("scan with replica %d", e.Sender.Replica)
	case e.Kind == End && (e.Rows > 0 || body > 0):
		return fmt.Errorf("end with %d rows in %d bytes", e.Rows, body)
	case (e.Rows == 0) != (body == 0):
		return fmt.Errorf("%d rows in %d bytes", e.Rows, body)
	}
	return nil
}

// String says which message it is, for logs and errors.
func (e Envelope) String() string {
	what := fmt.Sprintf("id %d", e.ID)
	if e.Kind == End {
		what = fmt.Sprintf("end of %d", e.ID)
	}
	return fmt.Sprintf("%s from %s to node %d input %d replica %d of job %s", what, e.Sender, e.Node, e.Input, e.Replica, e.Job)
}
