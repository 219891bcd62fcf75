package sim

import (
	"bytes"
	"crypto/sha256"
	"fmt"

	"analyzer/compose/cluster/protocol"
)

// The client of a job that stays open writes the note of a table before it sends the first
// batch of an append, and again when all of them are acknowledged; with the second note the
// job remembers the append, which stands for a file. So append k has begun with version 2k-1
// of the note, and is remembered with version 2k.

// begun returns how many appends of a table may have been sent in part.
func (c *client) begun(t int) int { return int(c.feed.notes[t]+1) / 2 }

// through returns how many appends of a table the job remembers.
func (c *client) through(t int) int { return int(c.feed.notes[t]) / 2 }

// remembered reports whether the job remembers all appends that have begun.
func (c *client) remembered() bool {
	for t := range c.feed.notes {
		if c.through(t) < c.feed.begun {
			return false
		}
	}
	return true
}

// noteOf returns a version of the note of a table.
func (c *client) noteOf(t int, version uint64) *protocol.Note {
	n := &protocol.Note{Table: c.tableOf(t), Version: version}
	if version > 0 {
		n.Text = fmt.Appendf(nil, "note %d", version)
	}
	if version > 0 && version%2 == 0 {
		n.File = c.fileOf(t, int(version/2))
	}
	return n
}

func (c *client) fileOf(t, begun int) []byte {
	name := sha256.Sum256(fmt.Appendf(nil, "%s %d", c.tableOf(t), begun))
	return name[:protocol.FileBytes]
}

// remind writes a note that is due, or asks now and then whether the job remembers an append.
// It reports whether there was something to do.
func (c *client) remind() bool {
	for t, version := range c.feed.notes {
		note := c.noteOf(t, version+1)
		switch {
		case c.begun(t) < c.feed.begun:
		case c.through(t) < c.feed.begun && c.sent(t):
		case c.w.rng.IntN(20) == 0 && !c.ends[t]:
			note = &protocol.Note{Table: c.tableOf(t), Version: version, File: c.fileOf(t, 1+c.w.rng.IntN(c.feed.appends))}
		default:
			continue
		}
		c.ask(0, protocol.Request{Action: protocol.ActionNote, Note: note})
		return true
	}
	return false
}

// reminded takes the answer to a request for a note, which may come late and out of order.
func (c *client) reminded(asked, now *protocol.Note) {
	for t := range c.feed.notes {
		if c.tableOf(t) != asked.Table {
			continue
		}
		if now.Version < asked.Version || !bytes.Equal(now.Text, c.noteOf(t, now.Version).Text) {
			c.fail(fmt.Sprintf("version %d of the note of table %s was forgotten: it is %d, %q", asked.Version, asked.Table, now.Version, now.Text))
			return
		}
		for k := 1; k <= c.feed.appends; k++ {
			if bytes.Equal(asked.File, c.fileOf(t, k)) && now.Known != (now.Version >= uint64(2*k)) {
				c.fail(fmt.Sprintf("append %d of table %s was forgotten or invented: at version %d it is known %v", k, asked.Table, now.Version, now.Known))
				return
			}
		}
		c.feed.notes[t] = max(c.feed.notes[t], now.Version)
	}
}
