// Package sim runs real workers, with their ledgers, stages and commits, in a simulated
// world in memory, where events happen in an order drawn from a seed. The same seed
// gives the same run. A gateway's handling of a batch is real, too: package scatter makes
// the messages, and broker.Publisher publishes them.
//
// The broker is membroker at its harshest. It delivers messages in any order and
// more than once, brings acknowledged ones back, leaves publishes unconfirmed, and keeps
// the connections of dead processes for a while. Connections are lost, the broker
// restarts, or loses a queue. A client has two gateways, which die half way through a
// batch, both send the same batch, and may or may not know the keys that drop rows from
// it. Disks tear or lose unsynced writes, and run full. Processes stop for a while, and
// die at any failpoint, before any disk operation, between any two steps, and while
// they start. Two clients have jobs at the same time; one of them may cancel its job,
// or vanish, at any moment, or give up opening it before it knows that it is open. A job that
// stays open is asked which appends it remembers.
//
// A run passes if every answer is exact, or is missing for a reason that the faults of
// its seed explain; if all jobs end; if no queue and no state is left of them; if no late
// message brings them back; and if in the end even their tombstones are gone.
//
// Mutations of the worker and knobs of the disk each switch off one mechanism that ensures this. A
// simulation that does not notice is worth nothing.
package sim
