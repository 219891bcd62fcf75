package client

import (
	"context"
	"time"

	"analyzer/columnar/budget"
	"analyzer/operators/keyset"
	"analyzer/operators/planner"
)

// Pauses between questions for keys that are not there yet.
const (
	firstKeysPause = 5 * time.Millisecond
	lastKeysPause  = 50 * time.Millisecond
)

// keySets are the key filters of one reading of a table.
type keySets struct {
	builders []*keyset.Builder
	byScan   map[int][]*keyset.Set // by scan node: a set for each of its filters, nil if not known
}

// fetchKeys waits until the build sides that the scans' filters speak of are
// complete, and fetches their keys. The caller closes what it returns.
func (u *uploader) fetchKeys(ctx context.Context, scans []*planner.Node) (*keySets, error) {
	s := &keySets{byScan: make(map[int][]*keyset.Set)}
	known := make(map[int]*keyset.Set) // by join
	for _, n := range scans {
		for _, f := range n.Scan.Filters {
			if _, ok := known[f.Join]; !ok {
				set, err := u.fetchSet(ctx, f.Join, s)
				if err != nil {
					s.close()
					return nil, err
				}
				known[f.Join] = set
			}
			s.byScan[n.ID] = append(s.byScan[n.ID], known[f.Join])
		}
	}
	return s, nil
}

// fetchSet waits for the keys of one build side. It returns nil if there are too
// many of them.
func (u *uploader) fetchSet(ctx context.Context, join int, s *keySets) (*keyset.Set, error) {
	u.watch.waiting("keys")
	defer u.watch.waiting("")
	for pause := firstKeysPause; ; pause = min(2*pause, lastKeysPause) {
		keys, hashes, err := u.job.keys(ctx, join)
		if err != nil {
			return nil, err
		}
		if keys.TooMany {
			return nil, nil
		}
		if keys.Ready {
			b := keyset.NewBuilder(budget.New(0)) // MaxKeys bounds it
			s.builders = append(s.builders, b)
			b.Add(hashes)
			return b.Build(), nil
		}
		if err := sleep(ctx, pause); err != nil {
			return nil, err
		}
	}
}

func (s *keySets) close() {
	for _, b := range s.builders {
		b.Close()
	}
}
