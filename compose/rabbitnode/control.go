package rabbitnode

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
