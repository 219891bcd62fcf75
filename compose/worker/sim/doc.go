// Package sim runs the real parts of jobs, with their ledgers, stages and commits,
// in a world made of memory, where everything that can happen happens in an order
// drawn from a seed: messages are delivered in any order and again, acknowledged
// ones come back, publishes go unconfirmed, disks lose what was not synced, and
// processes die at any named point or between any two steps. The same seed gives
// the same run.
//
// Knobs switch off one of the things that make answers exact; a simulation that
// does not notice is worth nothing.
package sim
