package membroker

import "time"

// Config says what a Server does by chance. The zero Config does nothing by
// chance but the order of events: messages of a queue come in order, acknowledged
// ones stay away, unconfirmed ones are lost in a crash.
type Config struct {
	// Seed chooses among all that could happen.
	Seed uint64
	// Disorder is how often (0 to 1) a message that is delivered is any of its
	// queue rather than the oldest.
	Disorder float64
	// Refuse is how often the broker does not confirm a publish. It may keep
	// the message nevertheless.
	Refuse float64
	// KeepUnconfirmed is how often an unconfirmed message survives a crash.
	KeepUnconfirmed float64
	// ReturnAcked is how often a message acknowledged lately comes back after a
	// crash.
	ReturnAcked float64
	// Linger is how often the server does not notice at once that a client was
	// killed: for a while its connection is given messages and holds them, and what
	// it has published arrives.
	Linger float64
	// Now is the clock of publishers; nil is time.Now.
	Now func() time.Time
	// Trace is told of each event, for reading a failed run. It may be nil.
	Trace func(event string)
}

// Harsh returns a configuration in which everything goes wrong that may.
func Harsh(seed uint64) Config {
	return Config{Seed: seed, Disorder: 0.5, Refuse: 0.05, KeepUnconfirmed: 0.5, ReturnAcked: 0.3, Linger: 0.5}
}
