package rabbit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// Try connects to a broker once, has it declare a queue that ends with the connection, and
// returns why that failed.
func Try(ctx context.Context, cfg Config) error {
	if err := cfg.Check(); err != nil {
		return err
	}
	const patience = 4 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := try(ctx, cfg.withDefaults()); err != nil {
		return fmt.Errorf("the broker at %s cannot be used: %w", Address(cfg.URL), err)
	}
	return nil
}

// Lives reports, by the time the context ends, whether the broker at an address, host:port,
// is alive: whether it does what Try asks for, or refuses that. The rest of the
// configuration's URL says as whom to ask.
func Lives(ctx context.Context, cfg Config, address string) bool {
	u, err := url.Parse(cfg.URL)
	if err != nil {
		return false
	}
	u.Host = address
	cfg.URL = u.String()
	err = try(ctx, cfg.withDefaults())
	if err == nil {
		return true
	}
	if _, again := judge(err); !again {
		return true
	}
	// RabbitMQ refuses a password by hanging up, which the library gives this name. It gives it
	// to a socket of ours that is closed when the context ends as well.
	return errors.Is(err, amqp.ErrCredentials) && ctx.Err() == nil
}

// try does what Try says. A broker declares queues also during an alarm. One whose database
// has died may still take connections, but declares nothing.
func try(ctx context.Context, cfg Config) error {
	s, err := dial(ctx, cfg, "try")
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, s.kill)
	defer stop()
	defer s.close()
	return s.withChannel(ctx, func(ch *amqp.Channel) error {
		_, err := ch.QueueDeclare("", false, true, true, false, nil)
		return err
	})
}
