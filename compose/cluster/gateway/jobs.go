package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/compose/cluster/protocol"
)

// jobs is the gateway's cache of jobs. It keeps the most recently used, with limits on
// their number, size and age. It asks the workers for other jobs.
type jobs struct {
	caller *caller
	log    *slog.Logger
	max    int
	// replicas is the number of workers that are asked for a job, from replica 0 on.
	replicas int
	// patience is how long workers have to answer.
	patience time.Duration

	mu   sync.Mutex
	byID map[protocol.JobID]*knownJob
	size int
}

// maxSpecs is how many bytes of specs the cache holds.
const maxSpecs = 64 << 20

// forgetAfter is how long an unused job is remembered. A waiting client asks every few
// seconds. An end to a job is heard only by the gateway that it was sent to, so the others
// have to forget the job by themselves.
const forgetAfter = 15 * time.Second

func newJobs(c *caller, cfg Config, log *slog.Logger) *jobs {
	return &jobs{
		caller: c, log: log, max: cfg.MaxJobs, replicas: cfg.Replicas, patience: cfg.Patience,
		byID: make(map[protocol.JobID]*knownJob),
	}
}

// find returns a job that belongs to owner. Errors are statuses.
func (j *jobs) find(ctx context.Context, id protocol.JobID, owner string) (*knownJob, error) {
	k := j.lookUp(id)
	if k == nil {
		spec, size, err := j.describe(ctx, id, owner)
		if err != nil {
			return nil, err
		}
		k = j.add(spec, size)
	}
	if k.spec.Owner != owner {
		return nil, notOwner(id)
	}
	return k, nil
}

// lookUp returns a remembered job and marks it as used; nil if it is not remembered.
func (j *jobs) lookUp(id protocol.JobID) *knownJob {
	j.mu.Lock()
	defer j.mu.Unlock()
	k := j.byID[id]
	if k != nil {
		k.used = time.Now()
	}
	return k
}

// add remembers a job.
func (j *jobs) add(spec *protocol.Spec, size int) *knownJob {
	j.mu.Lock()
	defer j.mu.Unlock()
	k := j.byID[spec.ID]
	if k == nil {
		k = newKnownJob(spec, size)
		j.byID[spec.ID] = k
		j.size += size
	}
	k.used = time.Now()
	for {
		old := slices.MinFunc(slices.Collect(maps.Values(j.byID)), func(a, b *knownJob) int { return a.used.Compare(b.used) })
		if old == k || len(j.byID) <= j.max && j.size <= maxSpecs && time.Since(old.used) <= forgetAfter {
			return k
		}
		j.dropLocked(old)
	}
}

func (j *jobs) dropLocked(k *knownJob) {
	delete(j.byID, k.spec.ID)
	j.size -= k.size
	if err := k.close(); err != nil {
		j.log.Warn("close what was made for a job", "job", k.spec.ID, "error", err)
	}
}

// forget drops what is remembered of a job.
func (j *jobs) forget(id protocol.JobID) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if k := j.byID[id]; k != nil {
		j.dropLocked(k)
	}
}

// close drops everything.
func (j *jobs) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, k := range j.byID {
		j.dropLocked(k)
	}
}

// describe asks the workers for a job of an owner, and takes the first answer that
// settles. However many workers take part in a job, replica 0 is among them.
func (j *jobs) describe(ctx context.Context, id protocol.JobID, owner string) (*protocol.Spec, int, error) {
	ctx, cancel := context.WithTimeout(ctx, j.patience)
	defer cancel()
	answers := j.caller.askAll(ctx, protocol.FirstReplicas(j.replicas), protocol.Request{Action: protocol.ActionDescribe, Job: id}, answer.settles)
	var refused, silent error
	for _, a := range answers {
		switch {
		case a.settles() && a.response.Code == "":
			spec, err := readSpec(id, a.response.Data)
			return spec, len(a.response.Data), err
		case a.settles() && a.response.Owner != "" && a.response.Owner != owner:
			return nil, 0, notOwner(id)
		case a.settles():
			return nil, 0, refusal(id, a.response)
		case a.err != nil:
			silent = a.err
		default:
			refused = refusal(id, a.response)
		}
	}
	if silent != nil {
		return nil, 0, asStatus(fmt.Errorf("job %s: %w", id, silent))
	}
	return nil, 0, refused
}

// settles reports whether an answer of one replica holds for all: the replica knows the
// job, or knows that it has ended.
func (a answer) settles() bool {
	return a.err == nil && (a.response.Code == "" || a.response.Code == protocol.JobEnded)
}

func readSpec(id protocol.JobID, text []byte) (*protocol.Spec, error) {
	spec, err := protocol.DecodeSpec(text)
	if err == nil && spec.ID != id {
		err = fmt.Errorf("it is job %s", spec.ID)
	}
	switch other := (*protocol.VersionError)(nil); {
	case errors.As(err, &other): // a gateway of a newer release has opened the job, and goes on with it
		return nil, protocol.Errorf(protocol.Trouble, "%v; ask another gateway", other)
	case err != nil:
		return nil, status.Errorf(codes.Internal, "a worker described job %s: %v", id, err)
	}
	return spec, nil
}
