package e2e_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/protocol"
)

// queuesOf returns the queues of a job, in order of their names.
func queuesOf(t *testing.T, c *e2e.Cluster, job string) (names []string) {
	t.Helper()
	all := c.Queues()
	for _, name := range all {
		if strings.HasPrefix(name, "analyzer."+job+".") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		t.Fatalf("job %s has no queues in %q", job, all)
	}
	return names
}

// atBroker lets the test do to the broker's queues what nobody should.
func atBroker(t *testing.T, c *e2e.Cluster, do func(*amqp.Channel) error) {
	t.Helper()
	conn, err := amqp.Dial(c.Vhost().URL())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	ch, err := conn.Channel()
	if err == nil {
		err = do(ch)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestVhosts holds virtual hosts to what they are for: queues of one are not seen in
// another, and go with it.
func TestVhosts(t *testing.T) {
	t.Parallel()
	var one e2e.Vhost
	other := e2e.NewVhost(t, shared.Node(t))
	t.Run("one", func(t *testing.T) {
		one = e2e.NewVhost(t, shared.Node(t))
		conn, err := amqp.Dial(one.URL())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		ch, err := conn.Channel()
		if err == nil {
			_, err = ch.QueueDeclare("q", true, false, false, false, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		if its, others := one.Queues(), other.Queues(); !slices.Equal(its, []string{"q"}) || len(others) > 0 {
			t.Errorf("queues %q, and of the other %q", its, others)
		}
	})
	if left := one.Queues(); len(left) > 0 {
		t.Errorf("queues of one that was deleted: %q", left)
	}
}

// held begins a submit and holds its upload up when the job is open, until the
// function it returns is called.
func held(t *testing.T, c *e2e.Cluster, args ...string) (k *e2e.Client, job string, goOn func()) {
	t.Helper()
	k = c.Begin(t.Context(), "", c.Submission(args...)...)
	job = k.AwaitJob().Job()
	c.Gateway(0).Stop()
	return k, job, c.Gateway(0).Continue
}

// TestQueueDeleted deletes a queue of a running job: the client begins the job again, its answers are
// exact, and nothing is left.
func TestQueueDeleted(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	k, job, goOn := held(t, c, "movies", "--block-size", "1KiB")
	names := queuesOf(t, c, job)
	atBroker(t, c, func(ch *amqp.Channel) error {
		_, err := ch.QueueDelete(names[0], false, false, false)
		return err
	})
	goOn()
	r := k.Wait()
	c.Exact(r, "movies")
	if !bytes.Contains(r.Stderr, []byte("begins again as another one")) {
		t.Errorf("submit says\n%s", r.Stderr)
	}
	c.Leftovers()
}

// TestQueueDeletedUnderWorker deletes queues that nobody sends to any more, with
// messages in them that the broker has not sent ahead: only who receives can notice.
func TestQueueDeletedUnderWorker(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{WorkerFlags: []string{"--prefetch", "2"}})
	k, job, goOn := held(t, c, "movies", c.Generated("movies", "0.01"), "--query", "q2", "--block-size", "1KiB", "--detach")
	names := queuesOf(t, c, job)
	c.Worker(1).Stop()
	goOn()
	if r := k.Wait(); r.Code != 0 {
		t.Fatalf("submit --detach: status %d\n%s", r.Code, r.Stderr)
	}
	atBroker(t, c, func(ch *amqp.Channel) error {
		for _, name := range names {
			if strings.HasSuffix(name, ".1") {
				if _, err := ch.QueueDelete(name, false, false, false); err != nil {
					return err
				}
			}
		}
		return nil
	})
	c.Worker(1).Continue()
	r := c.Command(t.Context(), "jobs", "results", job, "--gateway", c.Gateways())
	if r.Code != 1 || !againPlease.Match(r.Stderr) || len(r.Stdout) != 0 {
		t.Errorf("jobs results: status %d, %d bytes of answers, want status 1, none and %q:\n%s", r.Code, len(r.Stdout), againPlease, r.Stderr)
	}
	shown := c.Command(t.Context(), "jobs", "show", job, "--gateway", c.Gateways())
	if !bytes.Contains(shown.Stdout, []byte("the broker has lost the queue")) {
		t.Errorf("jobs show does not say why:\n%s%s", shown.Stdout, shown.Stderr)
	}
	if r := c.Command(t.Context(), "jobs", "cancel", job, "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("jobs cancel: status %d\n%s", r.Code, r.Stderr)
	}
	c.Leftovers()
}

var againPlease = regexp.MustCompile(`submit .* again`)

// TestPoison publishes messages that are none into the queues of two jobs, of which
// one has lost its client. Both fail and say why, and another one does not notice.
func TestPoison(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{})
	k, alone, goOn := held(t, c, "steam", "--block-size", "1KiB")
	k.Kill()
	poison(t, c, alone)
	goOn()
	shown := c.Command(t.Context(), "jobs", "show", alone, "--format", "json", "--gateway", c.Gateways())
	var s protocol.Status
	if err := json.Unmarshal(shown.Stdout, &s); err != nil || s.State != protocol.Failing || !strings.Contains(s.Reason, poisoned) {
		t.Errorf("jobs show: %v\n%s%s", err, shown.Stdout, shown.Stderr)
	}

	k, job, goOn := held(t, c, "steam", "--block-size", "1KiB")
	poison(t, c, job)
	goOn()
	c.Exact(c.Submit(t.Context(), "books"), "books")
	r := k.Wait()
	if r.Code != 1 || !bytes.Contains(r.Stderr, []byte(poisoned)) || len(r.Stdout) != 0 {
		t.Errorf("submit of a job with a poisoned message: status %d, %d bytes of answers\n%s", r.Code, len(r.Stdout), r.Stderr)
	}
	r = c.Command(t.Context(), "jobs", "show", job, "--gateway", c.Gateways())
	if r.Code != 1 || !bytes.Contains(r.Stderr, []byte(poisoned)) {
		t.Errorf("jobs show of the failed job: status %d\n%s%s", r.Code, r.Stdout, r.Stderr)
	}
	if r := c.Command(t.Context(), "jobs", "cancel", alone, "--gateway", c.Gateways()); r.Code != 0 {
		t.Errorf("jobs cancel: status %d\n%s", r.Code, r.Stderr)
	}
	c.Leftovers()
}

const (
	poisonText = "this is no message of a job"
	poisoned   = "a message of 27 bytes to replica"
)

// poison publishes what is no message into a queue of a job, and waits until it was
// tried three times.
func poison(t *testing.T, c *e2e.Cluster, job string) {
	t.Helper()
	says := func(what string) int { return strings.Count(c.Worker(0).Log()+c.Worker(1).Log(), what) }
	failed, tried := says("the job failed"), says("a message cannot be taken in")
	queue := queuesOf(t, c, job)[0]
	atBroker(t, c, func(ch *amqp.Channel) error {
		return ch.PublishWithContext(t.Context(), "", queue, false, false, amqp.Publishing{Body: []byte(poisonText)})
	})
	c.Await("the job to fail", func() (string, bool) { return "it did not", says("the job failed") > failed })
	if n := says("a message cannot be taken in") - tried; n != 2 { // the third one fails the job
		t.Errorf("the message was given back %d times, want 2", n)
	}
}
