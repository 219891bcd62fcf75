package worker

import (
	"fmt"
	"path/filepath"
	"time"

	"analyzer/columnar/frame"
	"analyzer/columnar/vfs"
	"analyzer/compose/cluster/protocol"
)

// A job lives as long as there are signs of life of it. Until the first one of its client,
// which confirms that the client knows of the job, it is only being opened: an opening that
// was given up, or that a gateway carried out too late, must not last as long as a job.

// confirmTime is how long the client of a new job may take for its first sign of life.
// Clients repeat the request to open a job more often than that.
const confirmTime = time.Minute

// confirmAgain is how long after a Tick another one makes durable that the client has confirmed
// the job, if no commit has done so before.
const confirmAgain = 10 * time.Second

// isClients reports whether a request is a sign of life of the job's client. Gateways ask for
// the spec of a job on behalf of anybody.
func isClients(r *protocol.Request) bool {
	switch r.Action {
	case protocol.ActionStatus, protocol.ActionKeys, protocol.ActionPage, protocol.ActionNote:
		return !r.Onlooker
	}
	return false
}

// heard notes a sign of life of the job's client. It may be called from any goroutine.
func (p *Part) heard(r *protocol.Request) {
	if isClients(r) {
		p.alive()
	}
}

// alive notes that the job's client lives, and knows of the job.
func (p *Part) alive() {
	p.client.Store(p.worker.Now().UnixNano())
	p.confirmed.Store(true)
}

// see notes what sign of life a request is. On replica 0, which decides when the job ends, the
// first one of the client is durable when see returns.
func (p *Part) see(r *protocol.Request) {
	p.heard(r)
	forEverybody := p.confirmed.Load() && !p.spec.Open // whoever asks keeps it alive
	if forEverybody || !r.Onlooker && r.Action != protocol.ActionDescribe {
		p.sign = p.worker.Now()
	}
	if p.worker.Replica == 0 && p.justConfirmed() {
		p.settle()
	}
}

// keepConfirmed makes durable that the client has confirmed the job: a part that did not know it
// after a restart would ask replica 0 again and again, and thousands would.
func (p *Part) keepConfirmed() {
	if p.justConfirmed() && p.started {
		p.settle()
	}
}

// justConfirmed reports whether the part knows that its client has confirmed the job, and would
// not after a restart.
func (p *Part) justConfirmed() bool { return p.d.Unconfirmed && p.confirmed.Load() && !p.stopped() }

// passOn tells a replica that asks about the job that it is confirmed, if it is.
func (p *Part) passOn(to int) {
	if p.confirmed.Load() {
		p.worker.tell(p.ctx, to, &protocol.Request{Action: protocol.ActionStatus, Job: p.spec.ID})
	}
}

// opening reports whether replica 0 has not heard of the job's client yet.
func (p *Part) opening() bool { return p.worker.Replica == 0 && !p.confirmed.Load() }

// clientIdle is how long nothing has come from the job's client.
func (p *Part) clientIdle() time.Duration {
	return time.Duration(max(p.worker.Now().UnixNano()-p.client.Load(), 0))
}

// lifetime is how long the job lives after its last sign of life.
func (p *Part) lifetime() time.Duration {
	if p.confirmed.Load() {
		return p.spec.TTL
	}
	return min(confirmTime, p.spec.TTL)
}

// expire ends a job that had no sign of life, neither a request nor a message, for its
// lifetime. Replica 0 ends it everywhere. The others ask replica 0, which may have
// seen signs of life, or may not know the job.
func (p *Part) expire(now time.Time) {
	if deaf := now.Sub(p.ticked); deaf > p.lifetime()/4 {
		p.sign = p.sign.Add(deaf) // a busy or stopped part could not see signs of life
	}
	p.ticked = now
	p.noteIdle(now.Sub(p.sign))
	if p.d.Ending != "" || now.Sub(p.sign) <= p.lifetime() {
		return
	}
	switch {
	case p.worker.Replica != 0:
		p.sign = now
		p.worker.tell(p.ctx, 0, &protocol.Request{Action: protocol.ActionOrphan, Job: p.spec.ID, From: p.worker.Replica})
	case p.opening():
		_ = p.end(fmt.Sprintf("its client has not gone on with it for %v after it was opened", p.lifetime()))
	default:
		_ = p.end("expired: nobody asked for it for " + p.spec.TTL.String())
	}
}

// idleName is a file beside the state that says how long the job had been without a sign
// of life when expire last wrote it. It is not part of the state: it is written now and
// then, never synced, and failing to write it fails no job. It is framed, since a crash
// may truncate it: "20ms" could become "20m".
const idleName = "IDLE"

// noteIdle writes down how long there was no sign of life, so that the lifetime does
// not start again with each process.
func (p *Part) noteIdle(idle time.Duration) {
	if !p.misnoted(idle) {
		return
	}
	p.idle = idle
	if f, err := p.worker.FS.Create(p.idlePath()); err == nil {
		_, _ = f.Write(frame.Append(nil, []byte(idle.String())))
		_ = f.Close()
	}
}

// misnoted reports whether noteIdle has something to write.
func (p *Part) misnoted(idle time.Duration) bool { return (idle - p.idle).Abs() >= p.lifetime()/16 }

// recallIdle reads the file that noteIdle wrote.
func (p *Part) recallIdle() {
	text, err := vfs.ReadFile(p.worker.FS, p.idlePath())
	if err != nil {
		return
	}
	if text, _, err = frame.Decode(text, len(text)); err != nil {
		return
	}
	if idle, err := time.ParseDuration(string(text)); err == nil && idle > 0 {
		p.idle, p.sign = idle, p.sign.Add(-idle)
	}
}

func (p *Part) idlePath() string {
	return filepath.Join(p.worker.jobs(), p.spec.ID.String(), idleName)
}
