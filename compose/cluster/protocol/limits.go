package protocol

import (
	"time"

	"analyzer/operators/keyset"
	"analyzer/shuffle/envelope"
)

// The bounds of what a client sends. A gateway refuses more.
const (
	// MaxMessage is the bytes of one gRPC message to a gateway. What a gateway has in
	// memory of clients that it has not admitted anything of is a multiple of it.
	MaxMessage = 512 << 10
	// Margin is more than gRPC and Flight add to what a message holds.
	Margin = 64 << 10
	// MaxBatch is the bytes of header and body of one batch, in all its messages.
	MaxBatch = 16 << 20
	// MaxPage is the bytes of one gRPC message from a gateway.
	MaxPage = 16 << 20
	// MaxRows is the rows of one batch. A client whose blocks hold more asks for
	// smaller blocks.
	MaxRows = 8 << 20
	// MaxRequest is the bytes of an action's body.
	MaxRequest = MaxMessage - Margin
	// MaxReason is the bytes of JobEnd.Reason.
	MaxReason = 1 << 10
	// MaxCounts is the reasons of either kind in a TableRead.
	MaxCounts = 256
	// MaxNote is the bytes of Note.Text.
	MaxNote = 64 << 10
	// MinTTL is the least time to live of a job.
	MinTTL = 10 * time.Second
	// MaxRow is the bytes of one row on its way to a worker, which is always in one
	// message of the broker.
	MaxRow = envelope.MaxBody
	// MaxKeys is the key hashes of a build side that make a filter. Of more a worker
	// tells none, on one replica or on all together, and probe sides are sent whole.
	MaxKeys = keyset.MaxKeys
	// Window is how many batches of one stream may be without an answer.
	Window = 16
)
