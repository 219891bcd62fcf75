package rabbit

import (
	"errors"
	"io"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

func TestJudge(t *testing.T) {
	reply := func(code int, reason string) error { return &amqp.Error{Code: code, Reason: reason, Server: true} }
	for _, c := range []struct {
		err   error
		want  error // nil: the same
		again bool
	}{
		{reply(404, "NOT_FOUND - no queue 'q' in vhost '/'"), broker.ErrNoQueue, false},
		{reply(404, "NOT_FOUND - home node 'b@h' of durable queue 'q' in vhost '/' is down or inaccessible"), nil, true},
		{reply(405, "RESOURCE_LOCKED"), broker.ErrMismatch, false},
		{reply(406, "PRECONDITION_FAILED - inequivalent arg"), broker.ErrMismatch, false},
		{reply(403, "ACCESS_REFUSED"), nil, false},
		{reply(541, "INTERNAL_ERROR"), nil, true},
		{reply(320, "CONNECTION_FORCED"), nil, true},
		{amqp.ErrClosed, nil, true},
		{&amqp.Error{Code: 404, Reason: "made by the library"}, nil, true},
		{io.EOF, nil, true},
	} {
		want := c.want
		if want == nil {
			want = c.err
		}
		got, again := judge(c.err)
		if !errors.Is(got, want) || !errors.Is(got, c.err) || again != c.again {
			t.Errorf("judge(%v) = %v, %v, want %v, %v", c.err, got, again, want, c.again)
		}
	}
}

// What is declared must stay as it is: RabbitMQ compares it with what another
// version has declared.
func TestArguments(t *testing.T) {
	for _, c := range []struct {
		queue broker.Queue
		want  amqp.Table
	}{
		{broker.Queue{}, amqp.Table{"x-queue-type": "classic"}},
		{
			broker.Queue{Kind: broker.Quorum, SingleActive: true},
			amqp.Table{
				"x-queue-type": "quorum", "x-delivery-limit": int64(1 << 30),
				"x-single-active-consumer": true,
			},
		},
	} {
		got := arguments(c.queue)
		if len(got) != len(c.want) {
			t.Errorf("arguments of %+v: %v, want %v", c.queue, got, c.want)
		}
		for k, v := range c.want {
			if got[k] != v {
				t.Errorf("argument %s of %+v is %v, want %v", k, c.queue, got[k], v)
			}
		}
	}
}
