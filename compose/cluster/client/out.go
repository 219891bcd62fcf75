package client

import (
	"context"
	"fmt"
	"sync"

	"analyzer/columnar"
	"analyzer/compose/cluster/protocol"
)

// out takes the batches of one scan from one goroutine.
type out interface {
	// put hands over a batch, whose rows it borrows. It waits while too many are not acknowledged. large is a cell of
	// the batch that is too large for any message to a worker; nil: there is none.
	put(number uint64, rows columnar.Rows, large *cell) error
	// close waits until every batch is acknowledged. put must not be called after it.
	close() error
	// abandon sends nothing more, and waits until that is so. It may follow close.
	abandon()
}

// Inlet is how a client in a gateway's process hands batches to it: as rows, without a call. Goroutines may
// share it.
type Inlet interface {
	// Put hands over a batch, whose rows it borrows. It waits while too many are not acknowledged.
	Put(number uint64, rows columnar.Rows) error
	// Close waits until every batch is acknowledged, or the context of the upload has ended. Put must not
	// be called after it.
	Close() error
}

// out returns where the batches of a scan go that a goroutine reads.
func (u *uploader) out(ctx context.Context, scan int, acked func(number uint64)) (out, error) {
	if u.Inlet == nil {
		return newStream(ctx, u.job, scan, u.split(), acked)
	}
	return u.inlets.of(scan, func() (*inlet, error) {
		ctx, cancel := context.WithCancel(ctx)
		to, err := u.Inlet(ctx, protocol.Put{Job: u.job.Spec.ID, Node: scan, Split: u.split()}, acked)
		return &inlet{to: to, cancel: cancel, op: opOf(u.job.Spec.Plan.Nodes[scan].Scan.Table)}, err
	})
}

// inlets are the Inlets in use. The goroutines that read a table share that of a scan, so that what comes of
// their batches at about the same time goes on together.
type inlets struct {
	mu  sync.Mutex
	all map[int]*inlet // by scan
}

// inlet is an Inlet that some goroutines share.
type inlet struct {
	to     Inlet
	cancel context.CancelFunc
	op     string
	users  int // guarded by inlets.mu
}

// of returns the share of a goroutine in the Inlet of a scan, which it makes if nobody has one.
func (s *inlets) of(scan int, open func() (*inlet, error)) (out, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	in := s.all[scan]
	if in == nil {
		var err error
		if in, err = open(); err != nil {
			in.cancel()
			return nil, err
		}
		if s.all == nil {
			s.all = make(map[int]*inlet)
		}
		s.all[scan] = in
	}
	in.users++
	return &share{inlet: in, of: s, scan: scan}, nil
}

// share is the part of a goroutine in an Inlet, as an out.
type share struct {
	*inlet
	of   *inlets
	scan int
	left bool
}

func (s *share) put(number uint64, rows columnar.Rows, large *cell) error {
	return s.named(large.blame(s.to.Put(number, rows)))
}

// close leaves it to the last goroutine to wait.
func (s *share) close() error {
	if !s.leave() {
		return nil
	}
	defer s.cancel()
	return s.named(s.to.Close())
}

func (s *share) abandon() {
	if s.leave() {
		s.cancel()
		_ = s.to.Close()
	}
}

// leave reports whether the goroutine is the last one to leave the Inlet.
func (s *share) leave() (last bool) {
	if s.left {
		return false
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	s.left = true
	s.users--
	if last = s.users == 0; last {
		delete(s.of.all, s.scan)
	}
	return last
}

func (s *share) named(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", s.op, err)
}
