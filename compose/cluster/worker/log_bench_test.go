package worker

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// BenchmarkLog takes in 32 MiB of messages, commits them as a part does, and reads the log
// back as a stage does: once with the rows of many messages joined into a block, once with
// the messages as they came, which is what a part does.
func BenchmarkLog(b *testing.B) {
	schema := columnar.Schema{
		{Name: "name", Type: columnar.Text},
		{Name: "kind", Type: columnar.Bool},
		{Name: "sum", Type: columnar.Decimal},
		{Name: "count", Type: columnar.Int},
	}
	for _, kib := range []int{2, 16, 256} {
		messages := logMessages(b, schema, kib<<10)
		for _, as := range []string{"rows", "messages"} {
			b.Run(fmt.Sprintf("%dKiB/%s", kib, as), func(b *testing.B) {
				b.SetBytes(int64(len(messages) * len(messages[0])))
				for b.Loop() {
					s, err := segment.OpenStore(vfs.OS(), b.TempDir())
					if err != nil {
						b.Fatal(err)
					}
					l := logger{store: s, schema: schema, joined: as == "rows"}
					for _, m := range messages {
						if err := l.take(m); err != nil {
							b.Fatal(err)
						}
					}
					if err := l.commit(); err != nil {
						b.Fatal(err)
					}
					if rows, err := l.read(); err != nil || rows == 0 {
						b.Fatal(rows, err)
					}
					if err := s.Close(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func logMessages(b *testing.B, schema columnar.Schema, size int) [][]byte {
	rng := rand.New(rand.NewPCG(1, 1))
	rows := columnar.NewRows(schema)
	for rows.ValueBytes() < int64(size) {
		rows.Cols[0].AppendBytes(fmt.Appendf(nil, "Group of users number %d", rng.IntN(1_000_000)))
		rows.Cols[1].AppendBool(rng.IntN(2) == 0)
		rows.Cols[2].AppendInt(rng.Int64N(1e9))
		rows.Cols[3].AppendInt(rng.Int64N(1000))
		rows.Len++
		for _, c := range rows.Cols {
			c.Len = rows.Len
		}
	}
	message, err := ipc.Append(nil, schema, rows)
	if err != nil {
		b.Fatal(err)
	}
	messages := make([][]byte, (32<<20)/len(message))
	for i := range messages {
		messages[i] = message
	}
	return messages
}

// logger keeps a log in either way.
type logger struct {
	store  *segment.Store
	schema columnar.Schema
	joined bool
	rows   columnar.Rows
	bodies [][]byte
	count  int64
	held   int
	log    []*segment.Segment // committed
}

func (l *logger) take(body []byte) error {
	rows, err := ipc.Decode(l.schema, body)
	if err != nil {
		return err
	}
	if l.joined {
		if l.rows.Cols == nil {
			l.rows = columnar.NewRows(l.schema)
		}
		l.rows.AppendRange(rows, 0, rows.Len)
	} else {
		l.bodies, l.count = append(l.bodies, body), l.count+int64(rows.Len)
	}
	if l.held += len(body); int64(l.held) >= (GroupCommit{}).withDefaults().Bytes {
		return l.commit()
	}
	return nil
}

func (l *logger) commit() error {
	if l.held == 0 {
		return nil
	}
	w, err := l.store.NewWriter(l.schema)
	if err != nil {
		return err
	}
	if l.joined {
		err = w.Append(0, l.rows)
	}
	if !l.joined {
		err = w.AppendMessages(0, l.bodies, l.count)
	}
	if err != nil {
		return err
	}
	seg, err := w.Finish()
	if err != nil {
		return err
	}
	l.rows, l.bodies, l.count, l.held, l.log = columnar.Rows{}, nil, 0, 0, append(l.log, seg)
	return l.store.Commit(segment.Change{Add: []*segment.Segment{seg}})
}

// read hashes all rows, which is the least that a stage does with them.
func (l *logger) read() (rows int64, err error) {
	var hashes []uint64
	for _, seg := range l.log {
		r, err := l.store.Open(seg)
		if err != nil {
			return rows, err
		}
		for batch, err := range r.Partition(0, new([]byte)) {
			if err != nil {
				return rows, err
			}
			hashes = columnar.HashRows(hashes, batch.Cols[:1], batch.Len)
			rows += int64(batch.Len)
		}
		if err := r.Close(); err != nil {
			return rows, err
		}
	}
	return rows, nil
}
