package node

import (
	"context"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"
)

// Control runs rabbitmqctl on the node and returns what it prints. It takes
// seconds: it starts an Erlang machine of its own.
func (n *Node) Control(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, filepath.Join(n.inst.sbin, "rabbitmqctl"), append([]string{"--quiet"}, args...)...)
	cmd.Env, cmd.Dir, cmd.WaitDelay = n.environ(), n.dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("rabbitmqctl %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

// Alarm makes the node behave as one that is out of memory, or have room again:
// it takes no messages during an alarm.
func (n *Node) Alarm(ctx context.Context, on bool) error {
	limit := n.cfg.Memory
	if on {
		limit = 1
	}
	_, err := n.Control(ctx, "set_vm_memory_high_watermark", "absolute", strconv.FormatInt(limit, 10))
	return err
}

// Sync makes the node write down the queues that it has said it has. RabbitMQ keeps
// them in Mnesia, whose log is written up to two seconds late (disk_log's delayed
// write): of a classic queue declared since then a node that is killed knows nothing.
func (n *Node) Sync(ctx context.Context) error {
	_, err := n.Control(ctx, "eval", "mnesia:sync_log().")
	return err
}
