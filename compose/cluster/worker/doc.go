// Package worker runs the joins and group-bys of a cluster. A worker is one replica:
// for every job it runs that replica's part of each stage that is not a scan.
//
// A part of a job goes through the same steps for every stage, whatever the stage's
// operators are:
//
//	receive   Messages are recorded in the ledger by (port, sender, id), so that
//	          each counts once, and their rows are written to segments. A commit
//	          makes ledger and segments durable in one step; only then are the
//	          messages acknowledged.
//	compute   When a stage's ports are complete, holding exactly the messages
//	          0…N-1 of every sender, its pipeline runs over their rows. The
//	          result is a pure function of these. So a crash loses work and
//	          nothing else, and no operator needs a checkpoint. If all of them
//	          are no more than what may wait for a commit, they are not logged
//	          before, and the commit that freezes is theirs too.
//	freeze    The stage's output is committed as segments, one partition for each
//	          receiver. The same commit drops the log of the stage's input.
//	emit      Block i of a partition is published as message i of this sender,
//	          then the number of messages. A restart in the middle repeats the
//	          same bytes under the same ids, and receivers drop duplicates. So
//	          that all was sent need not be committed before something else is.
//
// Answers stay frozen until the job ends. Replica 0 decides that the job ends, once, and
// repeats the request until every replica has confirmed that its queues and state are
// gone. A tombstone outlives messages that are still in flight.
//
// A part is an actor: one goroutine runs the steps that are posted to it, and nothing
// else touches its state.
//
// Run drives a worker by goroutines and the clock. Whoever has other ideas of both, as a simulation has,
// makes the same calls: MakeState, Recover and Listen; then Request for what was heard, next for
// what came by Go, and Tick.
package worker
