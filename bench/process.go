package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"analyzer/process"
)

// graceToStop is how long a process that was asked to stop has to remove its files and end
// before it is killed.
const graceToStop = 10 * time.Second

// The names of processes that have no memory limit in a cluster: the one that asks for the
// answers, which is the only one without a cluster, and the broker.
const (
	clientProcess = "client"
	brokerProcess = "broker"
)

// The kinds of processes that have a limit. Their names are numbered, such as “worker 0”.
const (
	gatewayProcess = "gateway"
	workerProcess  = "worker"
)

// launch runs a task in a process of its own and measures the process from outside.
func launch(ctx context.Context, command []string, t Task) (Run, error) {
	task, err := json.Marshal(t)
	if err != nil {
		return Run{}, fmt.Errorf("write the task: %w", err)
	}
	var stdout, stderr bytes.Buffer
	began := time.Now()
	run, err := process.Run(ctx, process.Spec{
		Program: command[0], Args: command[1:], Env: append(os.Environ(), t.env...),
		Stdin: bytes.NewReader(task), Stdout: &stdout, Stderr: &stderr,
	}, graceToStop)
	wall := time.Since(began)
	if ctx.Err() != nil {
		return Run{}, context.Cause(ctx)
	}
	if err != nil {
		if text := strings.TrimSpace(stderr.String()); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
		return Run{}, fmt.Errorf("process: %w", err)
	}
	var r Run
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		return Run{}, fmt.Errorf("read what process %s says: %w", command[0], err)
	}
	state := run.State()
	r.Wall, r.CPU = wall.Seconds(), (state.UserTime() + state.SystemTime()).Seconds()
	r.Processes = []Process{{Name: clientProcess, CPU: r.CPU, Peak: r.Peak, Program: r.Program}}
	return r, nil
}
