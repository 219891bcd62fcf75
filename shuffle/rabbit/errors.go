package rabbit

import (
	"errors"
	"fmt"
	"strings"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// judge translates the error of an operation into those of package broker, and reports
// whether a retry may help.
func judge(err error) (judged error, again bool) {
	var reply *amqp.Error
	if !errors.As(err, &reply) || !reply.Server {
		return err, true // lost connection or channel
	}
	switch reply.Code {
	case amqp.NotFound:
		// A classic queue whose node is down is not gone.
		if strings.Contains(reply.Reason, "down or inaccessible") {
			return err, true
		}
		return fmt.Errorf("%w: %w", broker.ErrNoQueue, err), false
	case amqp.ResourceLocked, amqp.PreconditionFailed:
		return fmt.Errorf("%w: %w", broker.ErrMismatch, err), false
	case amqp.AccessRefused, amqp.NotAllowed, amqp.NotImplemented, amqp.CommandInvalid:
		return err, false
	}
	return err, true
}
