// Package sim runs real workers, with their ledgers, stages and commits, in a world
// made of memory, where everything that can happen happens in an order drawn from
// a seed. The same seed gives the same run. What becomes of a batch in a gateway is
// real, too: package scatter makes its messages, and broker.Publisher publishes them.
//
// The broker is membroker at its harshest. Messages are delivered in any order and
// again, acknowledged ones come back, publishes go unconfirmed, and the connections
// of dead processes linger. Connections are lost, the broker restarts, or loses a queue. A
// client has two gateways, which die half way through a batch, send the same batch
// both, and know or do not know the keys that leave rows out of it. Disks tear or
// forget what was not synced, and run full. Processes stop for a while, and die at
// any named point, before any operation on their disk, between any two steps, and
// while they start. Two clients have jobs at the same time; one of them may cancel
// its own, or vanish, at any moment.
//
// A run is in order if every answer is exact, or there is none for a reason that
// lies in the troubles of its seed; if jobs end; and if no queue and no state is
// left of them, nothing that comes too late brings them back, and in the end even
// their tombstones are gone.
//
// Knobs switch off one of the things that make this so; a simulation that does not
// notice is worth nothing.
package sim
