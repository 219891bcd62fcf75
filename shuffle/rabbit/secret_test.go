package rabbit

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/url"
	"strings"
	"sync"
	"testing"

	"analyzer/shuffle/broker"
)

const secret = "s3cr3t"

// buffer is a bytes.Buffer for several goroutines.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestBadURLIsNotShown(t *testing.T) {
	for _, bad := range []string{
		"", "localhost", "http://u:s3cr3t@h/", "amqp://u:s3cr3t@h:port/", "amqp://u:s3cr3t /x@h/",
		"amqp://u:s3cr3t/x@h/", "amqp://u:s3cr3t@h/\x7f", "amqp://u:s3cr3t%@h/", "amqp://u:s3cr3t@h/?heartbeat=s3cr3t",
	} {
		cfg := Config{URL: bad}
		_, err := Open(cfg)
		if err == nil || !strings.Contains(err.Error(), "broker URL: want amqp://") {
			t.Errorf("%q: error %v", bad, err)
			continue
		}
		if said := err.Error() + Address(bad) + fmt.Sprint(cfg); strings.Contains(said, secret) {
			t.Errorf("%q is shown: %s", bad, said)
		}
	}
	if a := Address("amqps://u:s3cr3t@h/v?password=s3cr3t"); a != "amqps://h:5671/v" {
		t.Errorf("address %q", a)
	}
}

// A password that is refused is in no error and no log.
func TestPasswordIsNotShown(t *testing.T) {
	node := shared.Node(t)
	var log buffer
	b, _ := open(t, node, func(c *Config) {
		u, err := url.Parse(c.URL)
		must(t, err)
		u.User = url.UserPassword("analyzer", secret)
		c.URL = u.String()
		c.Log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	eventually(t, "both connections were refused", func() bool { return strings.Count(log.String(), "cannot reach the broker") >= 2 })
	said := new(strings.Builder)
	_, err := b.Consume(shortly(t), "q", 1, func(broker.Delivery) {})
	for _, err := range []error{err, b.Ready(shortly(t)), b.Declare(shortly(t), broker.Queue{Name: "q"}), b.Publish(shortly(t), "q", nil, nil)} {
		if err == nil || !strings.Contains(err.Error(), "username or password not allowed") && !strings.Contains(err.Error(), "ACCESS_REFUSED") {
			t.Errorf("error %v, want one that says what is wrong", err)
		}
		fmt.Fprint(said, err)
	}
	b.Close()
	if all := said.String() + log.String(); strings.Contains(all, secret) {
		t.Errorf("the password is shown: %s", all)
	}
}
