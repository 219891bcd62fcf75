package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"analyzer/compose/cluster/load"
	"analyzer/compose/cluster/monitor"
	"analyzer/compose/cluster/protocol"
	"analyzer/compose/session/fault"
	"analyzer/process"
)

const (
	watchEvery     = load.Moment
	statusPatience = 3*time.Second + load.Moment
)

// status shows the state of a cluster.
func (r *clusterRun) status(ctx context.Context) error {
	asJSON, err := r.asJSON()
	if err != nil {
		return err
	}
	if ctx, err = r.withToken(ctx); err != nil {
		return err
	}
	for {
		began := time.Now()
		report, err := askCluster(ctx, r.nodes, load.Ask)
		if err != nil && !r.watched {
			return err
		}
		text := statusText(report, err, asJSON)
		if r.watched && r.width > 0 {
			text = clearScreen + text
		}
		if err := r.printf("%s", text); err != nil || !r.watched {
			return err
		}
		if err := process.Sleep(ctx, watchEvery-time.Since(began)); err != nil {
			return err
		}
	}
}

// withToken returns a context with which nodes are shown the token of this client.
func (p *program) withToken(ctx context.Context) (context.Context, error) {
	token, err := p.clientToken()
	return monitor.WithToken(ctx, token), err
}

// askCluster returns the report of the first node that answers.
func askCluster[R any](ctx context.Context, nodes []string, ask func(context.Context, string) (R, error)) (report R, err error) {
	if len(nodes) == 0 {
		nodes = []string{usualStatus}
	}
	for _, address := range nodes {
		ctx, cancel := context.WithTimeout(ctx, statusPatience)
		report, err = ask(ctx, address)
		cancel()
		if err == nil {
			return report, nil
		}
	}
	if protocol.CodeOf(err) == protocol.NoToken {
		return report, fault.Failure("Next: show a token of the nodes with --token-file FILE.", err)
	}
	return report, fault.Failure("Next: name the page of another node with --node HOST:PORT; cluster up --supervisors N prints them.",
		fmt.Errorf("ask for the state of the cluster: %w", err))
}

// statusText shows a report to people or programs; err says why there is none.
func statusText(r load.Report, err error, asJSON bool) string {
	if err != nil {
		return fmt.Sprintf("%v\n", err)
	}
	if asJSON {
		text, _ := json.MarshalIndent(r, "", "  ") // strings and numbers
		return string(text) + "\n"
	}
	return r.Text()
}
