package engine

// LimitMemory makes the garbage collector keep the process near a number of bytes,
// 0 for half of the machine's, and returns the part of them that operators may use
// for state, and what undoes it. It is for processes that run operators other than
// by Run, which does so itself.
func LimitMemory(limit int64) (state int64, restore func()) {
	return operatorBytes(limit), limitMemory(limit)
}
