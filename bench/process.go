package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"time"
)

// A process that was asked to stop removes its files; one that has not ended
// after this long is killed.
const graceToStop = 10 * time.Second

// The names of processes of a run that have no memory limit in a cluster: the one that
// asks for the answers, which without a cluster is the only one, and the broker.
const (
	clientProcess = "client"
	brokerProcess = "broker"
)

// launch runs a task in a process of its own and measures it from outside.
func launch(ctx context.Context, command []string, t Task) (Run, error) {
	task, err := json.Marshal(t)
	if err != nil {
		return Run{}, fmt.Errorf("write the task: %w", err)
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Cancel = func() error { return stop(cmd.Process) }
	cmd.WaitDelay = graceToStop
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(task), &stdout, &stderr
	began := time.Now()
	err = cmd.Run()
	wall := time.Since(began)
	if ctx.Err() != nil {
		return Run{}, context.Cause(ctx)
	}
	if err != nil {
		return Run{}, failed(err, stderr.String())
	}
	var r Run
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return Run{}, fmt.Errorf("read what process %s says: %w", command[0], err)
	}
	r.Wall, r.CPU = wall.Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	if r.Peak == 0 {
		r.Peak = peakOf(cmd.ProcessState)
	}
	r.Processes = []Process{{Name: clientProcess, CPU: r.CPU, Peak: r.Peak}}
	return r, nil
}

// failed adds what a process said to how it ended.
func failed(err error, stderr string) error {
	if text := strings.TrimSpace(stderr); text != "" {
		return fmt.Errorf("process: %w: %s", err, text)
	}
	return fmt.Errorf("process: %w", err)
}
