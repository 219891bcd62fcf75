package shuffle_test

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"testing"

	"golang.org/x/sync/errgroup"

	"analyzer/columnar"
	"analyzer/columnar/budget"
	"analyzer/columnar/segment"
	"analyzer/columnar/spill"
	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/vfstest"
	"analyzer/shuffle"
)

// link is an exchange between senders and receivers, with what it works with.
type link struct {
	t         testing.TB
	schema    columnar.Schema
	senders   int
	receivers []*shuffle.Queue
	budget    *budget.Budget
	disk      *vfs.Mem
	scratch   *segment.Scratch
	hold      int64 // of outboxes, if not 0
}

func schema() columnar.Schema {
	return columnar.Schema{
		{Name: "id", Type: columnar.Int},
		{Name: "text", Type: columnar.Text},
		{Name: "list", Type: columnar.TextList},
		{Name: "on", Type: columnar.Bool},
	}
}

// newLink makes an exchange with a limited budget (0: none) whose spill goes
// through decide, as for vfs.Inject.
func newLink(t testing.TB, s columnar.Schema, senders, receivers int, limit int64, decide func(vfs.Op) error) *link {
	l := &link{
		t: t, schema: s, senders: senders, budget: budget.New(limit), disk: vfs.NewMem(),
	}
	l.scratch = segment.NewScratch(vfstest.Inject(l.disk, decide), "/")
	for range receivers {
		l.receivers = append(l.receivers, shuffle.NewQueue(senders, spill.Config{
			Schema: s, Partitions: 1, Scratch: l.scratch, Budget: l.budget, Holder: "exchange",
		}))
	}
	return l
}

// close closes the exchange and checks that nothing is left of it.
func (l *link) close() {
	l.t.Helper()
	for _, q := range l.receivers {
		if err := q.Close(); err != nil {
			l.t.Error(err)
		}
	}
	if err := l.scratch.Close(); err != nil {
		l.t.Error(err)
	}
	if used := l.budget.Used(); used != 0 {
		l.t.Errorf("%d bytes of the budget are still reserved", used)
	}
	if files, err := l.disk.List("/"); err != nil || len(files) > 0 {
		l.t.Errorf("files left: %q, %v", files, err)
	}
	if files := l.disk.OpenFiles(); len(files) > 0 {
		l.t.Errorf("files open: %q", files)
	}
}

func (l *link) outbox(keys ...int) *shuffle.Outbox {
	receivers := make([]shuffle.Receiver, len(l.receivers))
	for i, q := range l.receivers {
		receivers[i] = q
	}
	out := shuffle.NewOutbox(l.schema, keys, receivers)
	if l.hold > 0 {
		out.Hold(l.hold)
	}
	return out
}

// makeRows makes rows with the numbers from lo up to, not including, hi.
func makeRows(lo, hi int) columnar.Rows {
	rows := columnar.NewRows(schema())
	for i := lo; i < hi; i++ {
		if i%7 == 3 {
			rows.Cols[0].AppendNull()
		} else {
			rows.Cols[0].AppendInt(int64(i % 50))
		}
		rows.Cols[1].AppendBytes(fmt.Appendf(nil, "row %d", i))
		for j := range i % 3 {
			rows.Cols[2].Child.AppendBytes(fmt.Append(nil, j))
		}
		rows.Cols[2].EndList()
		rows.Cols[3].AppendBool(i%2 == 0)
		rows.Len++
	}
	return rows
}

// texts writes each row as a text.
func texts(rows columnar.Rows) []string {
	out := make([]string, rows.Len)
	for i := range out {
		id := "null"
		if !rows.Cols[0].IsNull(i) {
			id = fmt.Sprint(rows.Cols[0].Ints[i])
		}
		list := rows.Cols[2]
		for j := list.Offsets[i]; j < list.Offsets[i+1]; j++ {
			id += " " + string(list.Child.Bytes(int(j)))
		}
		out[i] = fmt.Sprintf("%s %s %v", id, rows.Cols[1].Bytes(i), rows.Cols[3].Bools[i])
	}
	return out
}

// send sends rows of one sender in parts of a size.
func send(ctx context.Context, out *shuffle.Outbox, rows columnar.Rows, size int) error {
	for lo := 0; lo < rows.Len; lo += size {
		if err := out.Push(ctx, rows.Slice(lo, min(lo+size, rows.Len))); err != nil {
			return err
		}
	}
	return out.Finish(ctx)
}

// receive takes all that a receiver is sent.
func receive(ctx context.Context, q *shuffle.Queue) (got []string, err error) {
	err = q.Each(ctx, func(rows columnar.Rows) error {
		got = append(got, texts(rows)...)
		return nil
	})
	return got, err
}

// exchange sends rows from all senders to all receivers at once and returns what
// each receiver has got, sorted.
func (l *link) exchange(rows []columnar.Rows, size int, keys ...int) [][]string {
	l.t.Helper()
	got := make([][]string, len(l.receivers))
	g, ctx := errgroup.WithContext(l.t.Context())
	for s := range l.senders {
		g.Go(func() error { return send(ctx, l.outbox(keys...), rows[s], size) })
	}
	for r, q := range l.receivers {
		g.Go(func() (err error) {
			got[r], err = receive(ctx, q)
			sort.Strings(got[r])
			return err
		})
	}
	if err := g.Wait(); err != nil {
		l.t.Fatal(err)
	}
	return got
}

// routed returns which rows each of a number of receivers is to get, sorted.
func routed(rows []columnar.Rows, receivers int, keys ...int) [][]string {
	out := make([][]string, receivers)
	for _, part := range rows {
		at := make([]*columnar.Vector, len(keys))
		for i, k := range keys {
			at[i] = part.Cols[k]
		}
		hashes := columnar.HashRows(nil, at, part.Len)
		for i, text := range texts(part) {
			r := 0
			if len(keys) > 0 {
				r = int(hashes[i] % uint64(receivers))
			}
			out[r] = append(out[r], text)
		}
	}
	for _, part := range out {
		slices.Sort(part)
	}
	return out
}
