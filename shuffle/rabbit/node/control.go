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

// Control runs rabbitmqctl on the node and returns what it prints. It takes a second
// or more, since it starts an Erlang machine of its own: see Eval.
func (n *Node) Control(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(n.inst.sbin, "rabbitmqctl"), append([]string{"--quiet"}, args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = n.environ(), n.dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("rabbitmqctl %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// Eval has the server evaluate an Erlang expression and returns the value as Erlang
// prints it. It takes milliseconds where erl_call, a part of Erlang, is installed;
// elsewhere as long as Control.
func (n *Node) Eval(ctx context.Context, expression string) (string, error) {
	if n.inst.call == "" {
		return n.Control(ctx, "eval", expression+".")
	}
	// The server refuses a second caller of one name for a while.
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

// Alarm makes the node behave as one that is out of memory, or have room again:
// it takes no messages during an alarm.
func (n *Node) Alarm(ctx context.Context, on bool) error {
	limit := memory
	if on {
		limit = 1
	}
	_, err := n.Eval(ctx, fmt.Sprintf("vm_memory_monitor:set_vm_memory_high_watermark({absolute, %d})", limit))
	return err
}

// Sync makes the node write down the queues that it has said it has. RabbitMQ keeps
// them in Mnesia, whose log is written up to two seconds late (disk_log's delayed
// write): of a classic queue declared since then a node that is killed knows nothing.
func (n *Node) Sync(ctx context.Context) error {
	_, err := n.Eval(ctx, "mnesia:sync_log()")
	return err
}
