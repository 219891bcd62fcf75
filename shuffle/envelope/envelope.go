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
	End  Kind = 2 // the number of messages of kind Data
)

// Bounds of a message.
const (
	HeaderSize = 72
	// MaxBody is the largest body in bytes: with the header it makes the largest
	// message that a broker takes.
	MaxBody = broker.MaxMessage - HeaderSize
	// MaxJoined is up to how many bytes messages for one queue are joined. Joining more
	// saves a broker nothing.
	MaxJoined = 256 << 10
	// MaxNumber is the largest number of a node, input, replica or sender.
	MaxNumber = math.MaxInt32
	// MaxRows is the largest number of rows in a message.
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
	// format.
	ErrVersion = errors.New("message of another version")

	// ErrCorrupt is wrapped by the error of a message that was damaged on its way.
	ErrCorrupt = errors.New("corrupt message")
)

// Envelope is the header of a message: everything but the body.
type Envelope struct {
	Job     JobID
	Node    int // of the plan; it reads the message
	Input   int // of the node
	Replica int // of the receiver
	Sender  Sender
	Kind    Kind
	// ID numbers the Data messages of one sender to one input of one receiver:
	// 0, 1, 2 …. In an End message it is their count: N for ids 0 to N-1.
	ID uint64
	// Rows is how many rows the body holds. The body is empty exactly when Rows
	// is 0.
	Rows int
}

// check returns what is wrong with an envelope, for a body of so many bytes.
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
	case e.Kind == End && (e.Rows > 0 || body > 0):
		return fmt.Errorf("end with %d rows in %d bytes", e.Rows, body)
	case (e.Rows == 0) != (body == 0):
		return fmt.Errorf("%d rows in %d bytes", e.Rows, body)
	}
	return nil
}

// String identifies the message, for logs and errors.
func (e Envelope) String() string {
	what := fmt.Sprintf("id %d", e.ID)
	if e.Kind == End {
		what = fmt.Sprintf("end of %d", e.ID)
	}
	return fmt.Sprintf("%s from %s to node %d input %d replica %d of job %s", what, e.Sender, e.Node, e.Input, e.Replica, e.Job)
}
