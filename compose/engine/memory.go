package engine

import (
	"runtime/debug"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/csv"
	"analyzer/operators/expr"
)

// How a memory limit is divided. Beside the operators' state a run needs memory for the
// buffers of the scan workers, for batches in transit, and for garbage between two
// collections.
const (
	leastOperatorBytes = 64 << 10
	outboxShare        = 4 // all outboxes together hold 1/outboxShare of the operators' budget
	leastOutboxBytes   = 16 << 10
	columnShare        = 32       // vectors that take 1/columnShare of the operators' budget are not part of it
	leastMemory        = 16 << 20 // with less, the garbage collector would run all the time
	// The collector keeps Go's memory within the limit plus this allowance. The program's own
	// pages, some 30 MiB, come on top, and under load so do batches that the collector has yet
	// to see. A larger allowance makes no run faster: the stress plans take the same CPU time
	// with 0, 8 and 16 MiB, and the peak grows by as much as the allowance.
	runtimeAllowance = 8 << 20
	// A block takes some four times its bytes in each scan worker, including the positions of
	// its cells and the batch made of it. Blocks of 256 KiB instead of 1 MiB lowered the peaks
	// of the stress plans in 16 MiB by 3 to 9 MiB and cost no time.
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

// limitOr returns a limit, or half of the machine's memory if there is none.
func limitOr(limit int64) int64 {
	if limit <= 0 {
		return budget.MachineMemory() / 2
	}
	return limit
}

// operatorBytes returns the part of a limit that operators may use for state.
func operatorBytes(limit int64) int64 { return max(limitOr(limit)*6/10, leastOperatorBytes) }

// operatorBytesOf is operatorBytes for a plan: what the vectors of thousands of columns and expressions take in each of
// some goroutines, operators cannot use for state.
func operatorBytesOf(o Options) int64 {
	all := operatorBytes(o.Memory)
	if o.Memory <= 0 || o.Plan == nil {
		return all
	}
	columns := 0
	for _, n := range o.Plan.Nodes {
		columns += len(n.Schema)
		for _, e := range n.Project {
			columns += e.Expr.Parts()
		}
	}
	vectors := int64(threads(o)) * (columnar.Overhead(columns) + expr.LeastBytes*int64(columns))
	return all - min(max(0, vectors-all/columnShare), all/2)
}

// MemoryFor returns the smallest limit that lets operators use state bytes.
func MemoryFor(state int64) int64 { return (state*10 + 5) / 6 }

// LimitMemory makes the garbage collector keep the process near limit bytes; 0: half of the
// machine's memory. It returns the part that operators may use for state, and a function that
// restores the collector's settings. Run calls it itself.
func LimitMemory(limit int64) (state int64, restore func()) {
	limit = limitOr(limit)
	percent, p := debug.SetGCPercent(mostPercent), new(pacer)
	p.pace()
	before := debug.SetMemoryLimit(max(limit, leastMemory) + runtimeAllowance)
	return operatorBytes(limit), func() {
		p.end(percent)
		debug.SetMemoryLimit(before)
	}
}
