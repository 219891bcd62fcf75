package rabbit

import (
	"context"
	"errors"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Whoever gives up before its turn on a connection has none, whether it waits or not.
func TestNoTurnForWhoHasGivenUp(t *testing.T) {
	ctx, giveUp := context.WithCancelCause(t.Context())
	s := &session{calls: make(chan struct{}, 1)}
	never := func(*amqp.Channel) error {
		t.Error("it was called")
		return nil
	}
	why := errors.New("no patience")
	s.calls <- struct{}{}
	done := make(chan error)
	go func() { done <- s.withChannel(ctx, never) }()
	giveUp(why)
	if err := <-done; !errors.Is(err, why) {
		t.Errorf("it waited: %v", err)
	}
	<-s.calls
	for range 20 { // both are possible then
		if err := s.withChannel(ctx, never); !errors.Is(err, why) || len(s.calls) > 0 {
			t.Errorf("it did not wait: %v, %d turns are taken", err, len(s.calls))
		}
	}
}
