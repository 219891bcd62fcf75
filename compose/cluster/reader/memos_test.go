package reader

import (
	"testing"

	"analyzer/compose/cluster/protocol"
)

// Jobs keep their memos while units of them are read, and the last few some longer.
func TestMemos(t *testing.T) {
	var all memos
	jobs := make([]protocol.JobID, idleMemos+2)
	for i := range jobs {
		jobs[i] = protocol.NewJobID()
	}
	read := all.take(jobs[0])
	if all.take(jobs[0]) != read {
		t.Error("two units of a job have two memos")
	}
	all.give(read)
	first := all.take(jobs[1])
	all.give(first)
	for _, job := range jobs[2:] {
		all.give(all.take(job))
	}
	if len(all.all) != idleMemos+1 {
		t.Errorf("%d memos are kept", len(all.all))
	}
	if all.take(jobs[0]) != read {
		t.Error("the memo of a job that is read is gone")
	}
	if all.take(jobs[1]) == first {
		t.Error("the memo that was idle for longest is kept")
	}
}
