package protocol

import (
	"time"

	"analyzer/operators/keyset"
	"analyzer/shuffle/envelope"
)

// The bounds of what a client sends. A gateway refuses larger requests.
const (
	// MaxMessage is the largest gRPC message to a gateway, in bytes. For streams that
	// have no credit yet, a gateway holds a multiple of it in memory.
	MaxMessage = 512 << 10
	// Margin exceeds the bytes that gRPC and Flight add to the payload of a message.
	Margin = 64 << 10
	// MaxBatch is the largest header and body of one batch, in bytes over all its messages.
	MaxBatch = 16 << 20
	// MaxPage is the largest gRPC message from a gateway, in bytes.
	MaxPage = 16 << 20
	// MaxRows is the most rows of one batch. A client whose blocks hold more must ask for
	// smaller blocks.
	MaxRows = 8 << 20
	// MaxRequest is the largest body of an action, in bytes.
	MaxRequest = MaxMessage - Margin
	// MaxReason is the most bytes of JobEnd.Reason.
	MaxReason = 1 << 10
	// MaxCounts is the most reasons of either kind in a TableRead.
	MaxCounts = 256
	// MaxNote is the most bytes of Note.Text.
	MaxNote = 64 << 10
	// MaxSourceFiles is the most bytes that SourceFiles take as JSON, before they are compressed.
	MaxSourceFiles = 8 << 20
	// FileBytes is how many bytes Note.File has.
	FileBytes = 16
	// MinTTL is the least time to live of a job.
	MinTTL = 10 * time.Second
	// MaxRow is the largest row on its way to a worker, in bytes. A row is never split
	// over messages of the broker.
	MaxRow = envelope.MaxBody
	// MaxKeys is the most key hashes of a build side that make a filter. If one replica,
	// or all together, have more, there is no filter, and probe sides are sent whole.
	MaxKeys = keyset.MaxKeys
	// Window is how many batches of one stream may be unanswered.
	Window = 16
)
