package rabbit

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/shuffle/broker"
)

// Config says which broker to use, and how. Only URL is needed.
type Config struct {
	// URL is amqp://user:password@host:port/vhost, or amqps. It is secret: it
	// appears nowhere else, not in logs nor in errors.
	URL string
	// Name is what the broker's own tools call the connections.
	Name string
	// Heartbeat is how often the connections show that they are alive, in whole
	// seconds. One that shows nothing for twice as long is lost. Zero means 10
	// seconds.
	Heartbeat time.Duration
	// ConfirmPatience is how long nothing may be confirmed while something is
	// unconfirmed, outside of alarms, before the connection is given up. Zero
	// means 30 seconds.
	ConfirmPatience time.Duration
	// InFlight is how many bytes of messages may be unconfirmed: Publish waits
	// for room. Zero means 16 MiB; at least broker.MaxMessage.
	InFlight int64
	// QuorumSettle is how long Declare waits when it has declared quorum queues.
	// RabbitMQ writes its register of them half a second after the last change,
	// behind the declaration's back; of a queue that is not in it when the only
	// node, or most nodes, are killed, nothing can be used ever after. Zero
	// means 1.5 seconds.
	QuorumSettle time.Duration
	// Log is told of connections made and lost. Nil means nobody.
	Log *slog.Logger
	// Counters count. Nil means nobody looks.
	Counters *broker.Counters
}

// messageCost is what a message counts for in Config.InFlight besides its body,
// so that many small ones are bounded too.
const messageCost = 2 << 10

func (c Config) withDefaults() Config {
	c.Heartbeat = cmp.Or(c.Heartbeat, 10*time.Second)
	c.ConfirmPatience = cmp.Or(c.ConfirmPatience, 30*time.Second)
	c.QuorumSettle = cmp.Or(c.QuorumSettle, 1500*time.Millisecond)
	c.InFlight = cmp.Or(c.InFlight, 16<<20)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Counters = cmp.Or(c.Counters, new(broker.Counters))
	return c
}

// check reports whether the URL is one. The library's text holds the password.
func (c Config) check() error {
	if _, err := amqp.ParseURI(c.URL); err != nil {
		return errors.New("broker URL: want amqp://user:password@host:port/vhost, with special characters in user and password as %XX")
	}
	return nil
}

// String does not show the password.
func (c Config) String() string { return "rabbit.Config of " + Address(c.URL) }

// Address is the part of a broker URL that may be shown: host, port and vhost.
func Address(url string) string {
	u, err := amqp.ParseURI(url)
	if err != nil {
		return "a broker URL that cannot be read"
	}
	vhost := ""
	if u.Vhost != "/" {
		vhost = "/" + u.Vhost
	}
	return fmt.Sprintf("%s://%s:%d%s", u.Scheme, u.Host, u.Port, vhost)
}
