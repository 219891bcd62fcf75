package nodetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"analyzer/process"
	"analyzer/shuffle/rabbit/node"
)

// Control runs rabbitmqctl on a node and returns its output. It takes a second or more, since it
// starts an Erlang machine of its own; Eval is faster.
func Control(ctx context.Context, n *node.Node, args ...string) (string, error) {
	return output(ctx, n.Command("rabbitmqctl", append([]string{"--quiet"}, args...)...))
}

// Eval lets the server evaluate an Erlang expression, and returns the value as Erlang prints it. It
// takes milliseconds where erl_call, a part of Erlang, is installed beside the port mapper, where it
// belongs.
func Eval(ctx context.Context, n *node.Node, expression string) (string, error) {
	call := n.Command("epmd")
	call.Program = filepath.Join(filepath.Dir(call.Program), "erl_call")
	if _, err := os.Stat(call.Program); err != nil {
		return Control(ctx, n, "eval", expression+".")
	}
	// A random name, since the server refuses a second caller of the same name for a while.
	call.Args, call.Stdin = []string{"-n", n.Name(), "-h", "eval-" + rand.Text(), "-e"}, strings.NewReader(expression+".\n")
	out, err := output(ctx, call)
	if err != nil {
		return "", err
	}
	value, ok := strings.CutPrefix(out, "{ok, ")
	if !ok {
		return "", fmt.Errorf("the RabbitMQ node is to evaluate %s: it has no value: %s", expression, out)
	}
	return strings.TrimSuffix(strings.TrimSpace(value), "}"), nil
}

// output returns what a program prints.
func output(ctx context.Context, spec process.Spec) (string, error) {
	var out bytes.Buffer
	spec.Stdout, spec.Stderr = &out, &out
	if _, err := process.Run(ctx, spec, time.Second); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", spec.Program, strings.Join(spec.Args, " "), err, &out)
	}
	return out.String(), nil
}

// Alarm switches a simulated memory alarm on or off. During the alarm the node takes no
// messages.
func Alarm(ctx context.Context, n *node.Node, on bool) error {
	if on {
		return Limit(ctx, n, 1)
	}
	_, err := Eval(ctx, n, "{ok, M} = application:get_env(rabbit, vm_memory_high_watermark), vm_memory_monitor:set_vm_memory_high_watermark(M)")
	return err
}

// Limit sets the bytes in use above which the node takes no messages, until it ends.
func Limit(ctx context.Context, n *node.Node, bytes int64) error {
	_, err := Eval(ctx, n, fmt.Sprintf("vm_memory_monitor:set_vm_memory_high_watermark({absolute, %d})", bytes))
	return err
}

// Sync makes the node write its declared queues to disk. RabbitMQ keeps them in Mnesia,
// whose log is written up to two seconds late (disk_log's delayed write): a node that is
// killed before that forgets a classic queue.
func Sync(ctx context.Context, n *node.Node) error {
	_, err := Eval(ctx, n, "mnesia:sync_log()")
	return err
}

// Server returns the process of the server.
func Server(ctx context.Context, n *node.Node) (*os.Process, error) {
	text, err := Eval(ctx, n, "list_to_integer(os:getpid())")
	if err != nil {
		return nil, err
	}
	pid, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		return nil, err
	}
	return os.FindProcess(pid)
}

// Kill ends the server as a crash would, by SIGKILL.
func Kill(t testing.TB, n *node.Node) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), Patience)
	defer cancel()
	server, err := Server(ctx, n)
	if err == nil {
		err = server.Kill()
	}
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-n.Done():
	case <-ctx.Done():
		t.Fatal(errors.New("the server outlives its kill"))
	}
}
