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

// launch runs a task in a process of its own and measures it from outside.
func launch(ctx context.Context, command []string, t Task) (Sample, error) {
	task, err := json.Marshal(t)
	if err != nil {
		return Sample{}, fmt.Errorf("write the task: %w", err)
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
		return Sample{}, context.Cause(ctx)
	}
	if err != nil {
		return Sample{}, failed(err, stderr.String())
	}
	var done outcome
	if err := json.Unmarshal(stdout.Bytes(), &done); err != nil {
		return Sample{}, fmt.Errorf("read what process %s says: %w", command[0], err)
	}
	s := Sample{
		Wall: wall, CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(),
		Peak: done.Peak, Spilled: done.Spilled, Rows: done.Rows, Bytes: done.Bytes, Answers: done.Answers,
	}
	if s.Peak == 0 {
		s.Peak = peakOf(cmd.ProcessState)
	}
	return s, nil
}

// failed adds what a process said to how it ended.
func failed(err error, stderr string) error {
	if text := strings.TrimSpace(stderr); text != "" {
		return fmt.Errorf("process: %w: %s", err, text)
	}
	return fmt.Errorf("process: %w", err)
}
