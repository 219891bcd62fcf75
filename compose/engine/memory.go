package engine

import (
	"runtime/debug"

	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
)

// What a run with a memory limit takes beside the operators' state: buffers of
// the scan workers, batches on their way, and the garbage between two
// collections.
const (
	leastOperatorBytes = 64 << 10
	outboxShare        = 4 // all outboxes together hold this part of what operators may
	leastOutboxBytes   = 16 << 10
	leastMemory        = 16 << 20 // below it the collector would do nothing but collect
	// The collector keeps Go's memory within limit and allowance. The program's
	// own pages, some 22 MiB, come on top, and batches that the collector has yet
	// to see under load. More of it makes no run faster: the stress plans take the
	// same CPU time with 0, 8 and 16 MiB, and peaks follow it one to one.
	runtimeAllowance = 8 << 20
	// A block takes some four times its bytes in each scan worker, with where its cells
	// begin and the batch that is made of it. Blocks of 256 KiB instead of 1 MiB took
	// 3 to 9 MiB from the peaks of the stress plans in 16 MiB, and no time.
	blockShare      = 64
	leastBlockBytes = 256 << 10
)

// BlockBytes returns the bytes of a table per batch.
func (o Options) BlockBytes() int {
	switch {
	case o.BlockSize > 0:
		return o.BlockSize
	case o.Memory > 0:
		return int(min(max(o.Memory/blockShare, leastBlockBytes), csv.DefaultBlockSize))
	}
	return csv.DefaultBlockSize
}

// limitOr returns a limit, or half of the machine's memory where there is none.
func limitOr(limit int64) int64 {
	if limit <= 0 {
		return budget.MachineMemory() / 2
	}
	return limit
}

// operatorBytes returns the part of a limit that operators may use for state.
func operatorBytes(limit int64) int64 { return max(limitOr(limit)*6/10, leastOperatorBytes) }

// MemoryFor returns the least limit of which operators may use so many bytes.
func MemoryFor(state int64) int64 { return (state*10 + 5) / 6 }

// LimitMemory makes the garbage collector keep the process near a number of bytes, 0
// for half of the machine's, and returns the part of them that operators may use for
// state, and what undoes it. Run does so itself.
func LimitMemory(limit int64) (state int64, restore func()) {
	percent, p := debug.SetGCPercent(mostPercent), new(pacer)
	p.pace()
	before := debug.SetMemoryLimit(max(limitOr(limit), leastMemory) + runtimeAllowance)
	return operatorBytes(limit), func() {
		p.end(percent)
		debug.SetMemoryLimit(before)
	}
}
