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
	// never appears in logs or errors.
	URL string
	// Name is the connections' name in the broker's own tools.
	Name string
	// Heartbeat is the heartbeat interval of the connections, in whole seconds. A
	// connection that is silent for twice as long is lost. Zero means 10 seconds.
	Heartbeat time.Duration
	// ConfirmPatience is how long the broker may confirm nothing while messages are
	// unconfirmed, outside of alarms, before the connection is given up. Zero
	// means 30 seconds.
	ConfirmPatience time.Duration
	// InFlight is how many bytes of messages may be unconfirmed: Publish waits
	// for room. Zero means 16 MiB; at least broker.MaxMessage.
	InFlight int64
	// Channels is how many AMQP channels the subscriptions have; more subscriptions than
	// that share them. RabbitMQ allows 2047 channels on a connection by default, and each
	// costs it 20 KiB. Zero means 256.
	Channels int
	// QuorumSettle is how long Declare waits after declaring quorum queues.
	// RabbitMQ writes its register of them asynchronously, half a second after the
	// last change. If the only node, or most nodes, are killed before a queue is in
	// the register, the queue is unusable ever after. Zero means 1.5 seconds.
	QuorumSettle time.Duration
	// Log gets the connections made and lost. It may be nil.
	Log *slog.Logger
	// Counters count what the Broker does. They may be nil.
	Counters *broker.Counters
}

// messageCost is how many bytes a message counts for in Config.InFlight besides its
// body, so that many small messages are bounded, too.
const messageCost = 2 << 10

func (c Config) withDefaults() Config {
	c.Heartbeat = cmp.Or(c.Heartbeat, 10*time.Second)
	c.ConfirmPatience = cmp.Or(c.ConfirmPatience, 30*time.Second)
	c.QuorumSettle = cmp.Or(c.QuorumSettle, 1500*time.Millisecond)
	c.Channels = cmp.Or(c.Channels, 256)
	c.InFlight = cmp.Or(c.InFlight, 16<<20)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	c.Counters = cmp.Or(c.Counters, new(broker.Counters))
	return c
}

// Check reports whether the URL is valid. It does not wrap the library's error, whose
// text holds the password.
func (c Config) Check() error {
	if _, err := amqp.ParseURI(c.URL); err != nil {
		return errors.New("broker URL: want amqp://user:password@host:port/vhost, with special characters in user and password as %XX")
	}
	return nil
}

// String returns a description without the password.
func (c Config) String() string { return "rabbit.Config of " + Address(c.URL) }

// Address returns the part of a broker URL that may be shown: host, port and vhost.
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
