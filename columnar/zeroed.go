package columnar

// Zeroed returns n zeros, in s's memory if that is large enough. It also writes to new
// memory: until then, the system maps what is only read to one shared page of zeros, and the
// first write to each page later interrupts all processors. A hash table reads a slot before
// it writes it.
func Zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
