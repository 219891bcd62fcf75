package membroker

import "time"

// Config sets which faults a Server shows by chance; the rates are from 0 to 1.
// With the zero Config only the order of events is random: messages of a queue come in
// order, acknowledged ones stay away, unconfirmed ones are lost in a crash.
type Config struct {
	// Seed seeds all random choices.
	Seed uint64
	// Disorder is how often the server delivers a random message of a queue rather
	// than the oldest.
	Disorder float64
	// Refuse is how often the broker does not confirm a publish. It may still keep
	// the message.
	Refuse float64
	// KeepUnconfirmed is how often an unconfirmed message survives a crash.
	KeepUnconfirmed float64
	// ReturnAcked is how often a recently acknowledged message comes back after a
	// crash.
	ReturnAcked float64
	// Linger is how often the server notices late that a client was killed: for a
	// while it still sends messages to that connection, which holds them, and the
	// client's publishes still arrive.
	Linger float64
	// Now is the clock of publishers; nil means time.Now.
	Now func() time.Time
	// Trace is told of each event, for reading a failed run. It may be nil.
	Trace func(event string)
}

// Harsh returns a configuration in which every fault occurs.
func Harsh(seed uint64) Config {
	return Config{Seed: seed, Disorder: 0.5, Refuse: 0.05, KeepUnconfirmed: 0.5, ReturnAcked: 0.3, Linger: 0.5}
}
