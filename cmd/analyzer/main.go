// Command analyzer answers analytical questions over large, messy CSV data
// sets.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"syscall"

	"analyzer/bench"
	"analyzer/cmd/analyzer/internal/args"
	"analyzer/cmd/analyzer/internal/exit"
	"analyzer/cmd/analyzer/internal/profile"
	"analyzer/process"
)

func main() { os.Exit(execute(os.Args)) }

// execute runs one command line and returns the exit status.
func execute(line []string) int {
	ctx, stop := untilSignal()
	defer stop()
	p, out := newProgram(ctx)
	err := process.Arrive()
	if err == nil {
		if err = p.runLine(ctx, line); err == nil {
			err = out.failed
		}
	}
	p.progress.Clear()
	if err == nil {
		err = process.Leave()
	}
	return exit.Report(ctx, p.stderr, p.errorStyle(line), err)
}

// runLine runs a command line, with the profiles that the environment asks for.
func (p *program) runLine(ctx context.Context, line []string) (err error) {
	stop, err := profile.Start(p.fs, os.Getenv(bench.ProfileVariable), line)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stop()) }()
	app := p.app()
	return app.RunContext(ctx, args.Reorder(app, line))
}

// untilSignal returns a context that the first interrupt, termination or hang-up signal
// cancels; the second signal ends the process. Writing to a pipe that nobody reads becomes an
// error, so that files are removed in that case too.
func untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // it is ignored under nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	signal.Ignore(syscall.SIGPIPE)
	done := make(chan struct{})
	go func() {
		defer close(done)
		select {
		case s := <-signals:
			signal.Stop(signals)
			cancel(&exit.Interrupted{Signal: s})
		case <-ctx.Done():
			signal.Stop(signals)
		}
	}()
	return ctx, func() {
		cancel(context.Canceled)
		<-done
	}
}
