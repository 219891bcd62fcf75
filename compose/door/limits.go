package door

import (
	"time"

	"analyzer/compose/job"
)

// The bounds of what a client sends. A gateway refuses more.
const (
	// MaxMessage is the bytes of one gRPC message, either way.
	MaxMessage = 16 << 20
	// MaxRows is the rows of one batch. A client whose blocks hold more asks for
	// smaller blocks.
	MaxRows = 8 << 20
	// MaxRequest is the bytes of an action's body.
	MaxRequest = job.MaxSpec
	// MaxReason is the bytes of JobEnd.Reason.
	MaxReason = 1 << 10
	// MinTTL is the least time to live of a job.
	MinTTL = 10 * time.Second
	// Window is how many batches of one stream may be without an answer.
	Window = 16
)
