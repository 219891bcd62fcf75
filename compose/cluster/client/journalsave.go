package client

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// keepSaving saves the journal now and then, until the function it returns is
// called, which saves it a last time.
func (j *Journal) keepSaving() (stop func()) {
	if j == nil {
		return func() {}
	}
	ended, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(saveEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				j.keepChanges()
			case <-ended:
				j.keepChanges()
				return
			}
		}
	}()
	return func() {
		close(ended)
		<-done
	}
}

func (j *Journal) keepChanges() {
	j.mu.Lock()
	dirty := j.dirty
	j.mu.Unlock()
	if dirty {
		j.keep()
	}
}

// keep saves the journal. If that fails, somebody is told once, and the job goes
// on without it.
func (j *Journal) keep() {
	if err := j.save(); err != nil {
		j.mu.Lock()
		j.lost = true
		j.mu.Unlock()
		j.warn(err)
	}
}

// save replaces the file in one step. It is not synced: after a loss of power an
// older one, or none, means that more is sent again, or that nobody can go on.
func (j *Journal) save() (err error) {
	j.saving.Lock()
	defer j.saving.Unlock()
	defer func() {
		if err != nil {
			err = fmt.Errorf("save the journal %s: %w", j.path, err)
		}
	}()
	text, err := j.encode()
	if err != nil || text == nil {
		return err
	}
	temporary := j.path + ".new"
	f, err := j.fs.Create(temporary)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err == nil {
		err = j.fs.Rename(temporary, j.path)
	}
	if err != nil {
		return errors.Join(err, j.fs.Remove(temporary))
	}
	return nil
}

// encode returns the content of the file, nil if nothing is to be saved any more.
func (j *Journal) encode() ([]byte, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.lost {
		return nil, nil
	}
	j.dirty = false
	e := j.entry
	e.Acked = make(map[int]string)
	for scan, set := range j.acks {
		set.RunOptimize()
		text, err := set.ToBase64()
		if err != nil {
			return nil, err
		}
		e.Acked[scan] = text
	}
	return json.Marshal(e)
}
