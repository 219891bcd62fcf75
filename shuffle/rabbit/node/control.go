package node

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Control runs rabbitmqctl on the node and returns its output. It takes a second
// or more, since it starts an Erlang machine of its own; Eval is faster.
func (n *Node) Control(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(n.inst.sbin, "rabbitmqctl"), append([]string{"--quiet"}, args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = n.environ(), n.dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("rabbitmqctl %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// Eval lets the server evaluate an Erlang expression, and returns the value as Erlang
// prints it. It takes milliseconds where erl_call, a part of Erlang, is installed, and
// otherwise as long as Control.
func (n *Node) Eval(ctx context.Context, expression string) (string, error) {
	if n.inst.call == "" {
		return n.Control(ctx, "eval", expression+".")
	}
	// A random name, since the server refuses a second caller of the same name for a while.
	cmd := exec.CommandContext(ctx, n.inst.call, "-n", n.name, "-h", "eval-"+rand.Text(), "-e")
	cmd.Env, cmd.Dir, cmd.WaitDelay, cmd.Stdin = n.environ(), n.dir, time.Second, strings.NewReader(expression+".\n")
	out, err := cmd.CombinedOutput()
	value, ok := strings.CutPrefix(string(out), "{ok, ")
	if err == nil && !ok {
		err = errors.New("it has no value")
	}
	if err != nil {
		return "", fmt.Errorf("the RabbitMQ node is to evaluate %s: %w: %s", expression, err, out)
	}
	return strings.TrimSuffix(strings.TrimSpace(value), "}"), nil
}

// Alarm switches a simulated memory alarm on or off. During the alarm the node takes no
// messages.
func (n *Node) Alarm(ctx context.Context, on bool) error {
	limit := int64(memory)
	if on {
		limit = 1
	}
	return n.Limit(ctx, limit)
}

// Limit sets the bytes in use above which the node takes no messages, until it ends.
func (n *Node) Limit(ctx context.Context, bytes int64) error {
	_, err := n.Eval(ctx, fmt.Sprintf("vm_memory_monitor:set_vm_memory_high_watermark({absolute, %d})", bytes))
	return err
}

// Sync makes the node write its declared queues to disk. RabbitMQ keeps them in Mnesia,
// whose log is written up to two seconds late (disk_log's delayed write): a node that is
// killed before that forgets a classic queue.
func (n *Node) Sync(ctx context.Context) error {
	_, err := n.Eval(ctx, "mnesia:sync_log()")
	return err
}
