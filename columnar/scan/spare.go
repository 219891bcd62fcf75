package scan

import "sync"

// Spare is memory that workers of readings leave, at their ends, to workers of other ones. What nobody takes
// for a while the garbage collector frees. The zero value is ready to use; its users may be concurrent.
type Spare struct{ workers sync.Pool }

// put takes over the memory of a worker that gets no more blocks. s and w may be nil.
func (s *Spare) put(w *cellWorker) {
	if s != nil && w != nil {
		s.workers.Put(w)
	}
}

// take returns a worker of another reading for the sake of its memory, or nil. s may be nil.
func (s *Spare) take() *cellWorker {
	if s == nil {
		return nil
	}
	w, _ := s.workers.Get().(*cellWorker)
	return w
}
