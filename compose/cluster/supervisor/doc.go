// Package supervisor keeps the nodes of a cluster running: workers, gateways, and
// other supervisors. What nodes there are to be stands in a Topology. Of all
// supervisors the leader (package membership) watches the nodes and starts those again
// that have died, or that hang: that run and have not answered several times in a row.
// The others follow what it knows, so that each can take over.
//
// A node that answers is never started again, whatever it says: one that waits for its
// broker lives. What starts and ends nodes is a Driver.
//
// Two leaders for a moment, as when a network is cut in two, do no harm. Both may start
// a node; of processes on one machine the second start does nothing (process.Slot), and
// a worker that has a double is refused by the protocol.
package supervisor
