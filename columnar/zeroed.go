package columnar

// Zeroed returns n zeros, in s's memory if it suffices. New memory is written as well: what is
// only read of it the system lets be one page of zeros, and to write there later stops all
// processors, once for each page. A hash table reads a slot before it writes it.
func Zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		s = make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
