package gateway

import (
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow/go/v17/arrow/flight"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"analyzer/columnar"
	"analyzer/columnar/ipc"
	"analyzer/columnar/rowtest"
	"analyzer/compose/cluster/protocol"
)

// answerPages has the worker that holds the answer serve pages of rows "shop n".
func (c *cluster) answerPages(spec *protocol.Spec, pages ...[]byte) {
	c.Helper()
	_, replica, err := spec.AnswerNode("q1")
	if err != nil {
		c.Fatal(err)
	}
	w := c.workers[replica]
	w.with(func() {
		w.answer = func(r *protocol.Request) *protocol.Response {
			if r.Action != protocol.ActionPage || r.Query != "q1" {
				return nil
			}
			out := &protocol.Response{Ready: true, Pages: len(pages)}
			if r.Page < len(pages) {
				out.Data = pages[r.Page]
			}
			return out
		}
	})
}

// pageOf makes a page of n rows, each (first+i, i).
func pageOf(t *testing.T, schema columnar.Schema, first, n int64) []byte {
	t.Helper()
	rows := columnar.NewRows(schema)
	for i := range n {
		rows.Cols[0].AppendInt(first + i)
		rows.Cols[1].AppendInt(i)
		rows.Len++
	}
	body, err := ipc.Append(nil, schema, rows)
	if err != nil {
		t.Fatal(err)
	}
	return body
}

// read reads the messages of a download as any Flight client does.
func read(t *testing.T, messages []*flight.FlightData) (rows []string, pages []uint64) {
	t.Helper()
	r, err := flight.NewRecordReader(&stored{messages})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Release()
	for r.Next() {
		b := r.Record()
		k, err := protocol.DecodeNumber(r.LatestAppMetadata())
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, k)
		v := rowtest.FromArrow(columnar.Schema{{Type: columnar.Int}, {Type: columnar.Int}}, b)
		for i := range v.Len {
			rows = append(rows, fmt.Sprintf("%d/%d", v.Cols[0].Ints[i], v.Cols[1].Ints[i]))
		}
	}
	if r.Err() != nil {
		t.Fatal(r.Err())
	}
	return rows, pages
}

func TestAnAnswerComesPageByPage(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	node, _, err := spec.AnswerNode("q1")
	if err != nil {
		t.Fatal(err)
	}
	schema := spec.Plan.Nodes[node].Schema
	c.answerPages(spec, pageOf(t, schema, 10, 2), pageOf(t, schema, 0, 1000), pageOf(t, schema, 30, 1))
	messages, err := ann.get(protocol.Ticket{Job: spec.ID, Query: "q1"})
	if err != nil {
		t.Fatal(err)
	}
	rows, pages := read(t, messages)
	if len(rows) != 1003 || strings.Join(rows[:4], " ") != "10/0 11/1 0/0 1/1" || rows[1002] != "30/0" || fmt.Sprint(pages) != "[0 1 2]" {
		t.Errorf("%d rows, %v…, pages %v", len(rows), rows[:4], pages)
	}
	if messages, err = ann.get(protocol.Ticket{Job: spec.ID, Query: "q1", Page: 2}); err != nil {
		t.Fatal(err)
	}
	if rows, pages := read(t, messages); strings.Join(rows, " ") != "30/0" || fmt.Sprint(pages) != "[2]" {
		t.Errorf("from page 2: %v, pages %v", rows, pages)
	}
	if messages, err = ann.get(protocol.Ticket{Job: spec.ID, Query: "q1", Page: 3}); err != nil || len(messages) != 1 {
		t.Errorf("from the end: %d messages, %v", len(messages), err)
	}
	c.answerPages(spec)
	if messages, err = ann.get(protocol.Ticket{Job: spec.ID, Query: "q1"}); err != nil || len(messages) != 1 {
		t.Errorf("an answer without rows: %d messages, %v", len(messages), err)
	}
}

func TestAnswersThatCannotBeFetched(t *testing.T) {
	c := startCluster(t, nil)
	ann := c.client(annToken)
	spec := c.open(ann, request())
	_, replica, _ := spec.AnswerNode("q1")
	w := c.workers[replica]
	var response protocol.Response
	w.with(func() {
		w.answer = func(r *protocol.Request) *protocol.Response {
			if r.Action != protocol.ActionPage {
				return nil
			}
			out := response
			return &out
		}
	})
	ticket := protocol.Ticket{Job: spec.ID, Query: "q1"}
	for _, test := range []struct {
		response protocol.Response
		code     codes.Code
		reason   protocol.Code
	}{
		{protocol.Response{}, codes.FailedPrecondition, protocol.NotReady},
		{protocol.Response{Code: protocol.JobFailed, Error: "disk"}, codes.FailedPrecondition, protocol.JobFailed},
		{protocol.Response{Code: protocol.NoJob}, codes.FailedPrecondition, protocol.JobFailed}, // it was opened
		{protocol.Response{Code: protocol.Trouble, Error: "disk"}, codes.Unavailable, protocol.Trouble},
		{protocol.Response{Code: protocol.Refused, Error: "no"}, codes.InvalidArgument, protocol.Refused},
		{protocol.Response{Ready: true, Pages: 1, Data: []byte("odd bytes")}, codes.Internal, ""},
		{protocol.Response{Code: protocol.JobEnded, Error: "done"}, codes.FailedPrecondition, protocol.JobEnded},
	} {
		w.with(func() { response = test.response })
		_, err := ann.get(ticket)
		if status.Code(err) != test.code || protocol.CodeOf(err) != test.reason {
			t.Errorf("%+v: told %v", test.response, err)
		}
	}
	for _, bad := range []string{"", "drop", `{"job":"x"}`, fmt.Sprintf(`{"job":%q,"query":"q1","page":-1}`, spec.ID), fmt.Sprintf(`{"job":%q,"query":"../q1"}`, spec.ID)} {
		stream, err := ann.flight.DoGet(ann.ctx, &flight.Ticket{Ticket: []byte(bad)})
		if err == nil {
			_, err = stream.Recv()
		}
		if status.Code(err) != codes.InvalidArgument {
			t.Errorf("ticket %q: %v", bad, err)
		}
	}
}
