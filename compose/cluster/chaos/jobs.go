package chaos

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"

	"analyzer/compose/cluster/protocol"
	"analyzer/compose/cluster/supervisor"
	"analyzer/process"
)

// Jobs says which jobs run during the chaos: submit commands of this program, whose answers
// are compared with those of a run command over the same tables.
type Jobs struct {
	Program string
	Tables  []Tables
	Reach   []string // flags of submit and jobs that say how to reach the cluster
	Env     []string // of these commands; nil: that of this process
}

// Tables are the files of a data set.
type Tables struct{ Dataset, Dir string }

// Tally counts jobs.
type Tally struct {
	Same, Cancelled int
	// Again counts jobs that failed with a reason and were submitted again.
	Again int
}

// lanes runs jobs, one after the other in each of several lanes.
type lanes struct {
	*run
	cancel chan struct{} // each value asks for one job to be cancelled
	stop   chan struct{} // closed when no more jobs are to begin
	busy   sync.WaitGroup

	asking sync.Mutex // held while the reference answers are computed
	want   map[Tables][]byte
}

func newLanes(r *run) *lanes {
	return &lanes{run: r, cancel: make(chan struct{}, r.cfg.Cancels+1), stop: make(chan struct{}), want: make(map[Tables][]byte)}
}

// start begins jobs in all lanes until finish is called.
func (l *lanes) start(ctx context.Context) {
	cfg := l.cfg
	for lane := range cfg.Lanes {
		l.busy.Go(func() {
			for n := lane; ctx.Err() == nil; n++ {
				select {
				case <-l.stop:
					return
				default:
					l.job(ctx, cfg.Jobs.Tables[n%len(cfg.Jobs.Tables)])
				}
			}
		})
	}
}

// cancelOne asks for one job to be cancelled, a running one or the next.
func (l *lanes) cancelOne() {
	l.say("cancel a job")
	l.cancel <- struct{}{}
}

// finish lets the running jobs end and begins no more.
func (l *lanes) finish() {
	close(l.stop)
	l.busy.Wait()
	if len(l.cancel) > 0 {
		l.trouble("there was no job left to cancel")
	}
}

// mostAttempts is how often a job is submitted before it counts as failed.
const mostAttempts = 4

// job runs one job to its end. If the job fails and says why, it is submitted again: a killed
// broker may lose queues, and its jobs must then be submitted again.
func (l *lanes) job(ctx context.Context, of Tables) {
	want, err := l.answers(ctx, of)
	if err != nil {
		l.fail(ctx, "%v", err)
		return
	}
	for attempt := 1; ; attempt++ {
		s, err := l.submit(ctx, of)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			l.fail(ctx, "submit %s: %v", of.Dataset, err)
			return
		case s.cancelled:
			if s.status != cancelledStatus || !bytes.HasPrefix(want, s.stdout) { // some answers may have been printed
				l.fail(ctx, "a cancelled job of %s ended with status %d and %d bytes of answers: %s", of.Dataset, s.status, len(s.stdout), s.said())
				return
			}
			if err := l.gone(ctx, s); err != nil {
				l.fail(ctx, "a cancelled job of %s: %v", of.Dataset, err)
				return
			}
			l.count(func(r *Result) { r.Jobs.Cancelled++ })
			return
		case s.status == 0 && bytes.Equal(s.stdout, want):
			l.count(func(r *Result) { r.Jobs.Same++ })
			l.say("job %s of %s: the same %d bytes, after %.1f s", s.id(), of.Dataset, len(want), s.took.Seconds())
			return
		case s.status == 0:
			l.fail(ctx, "job %s of %s: its answers are not those of one process", s.id(), of.Dataset)
			return
		case attempt == mostAttempts:
			l.fail(ctx, "a job of %s failed %d times, last: %s", of.Dataset, attempt, s.said())
			return
		}
		l.count(func(r *Result) { r.Jobs.Again++ })
		l.say("job %s of %s is submitted again: %s", s.id(), of.Dataset, s.said())
	}
}

// gone waits until the cluster no longer lists a job.
func (l *lanes) gone(ctx context.Context, s submitted) error {
	return l.until(ctx, "the end of job "+s.id(), func() string {
		var out, trouble bytes.Buffer
		args := append([]string{"jobs", "list", "--format", "json"}, l.cfg.Jobs.Reach...)
		_, err := process.Run(ctx, process.Spec{Program: l.cfg.Jobs.Program, Args: args, Env: l.cfg.Jobs.Env, Stdout: &out, Stderr: &trouble}, time.Second)
		if err != nil {
			return cmp.Or(supervisor.LastError(trouble.String()), err.Error())
		}
		var list protocol.List
		if err := json.Unmarshal(out.Bytes(), &list); err != nil {
			return fmt.Sprintf("read the list of jobs: %v", err)
		}
		for _, j := range list.Jobs {
			if strings.HasPrefix(j.Job.String(), s.id()) {
				return fmt.Sprintf("it is still %s", j.State)
			}
		}
		if len(list.Silent) > 0 {
			return fmt.Sprintf("workers %v do not answer", list.Silent)
		}
		return ""
	})
}

func (l *lanes) fail(ctx context.Context, format string, a ...any) {
	if ctx.Err() == nil {
		l.trouble(format, a...)
	}
}

// answers returns the answers of one process, which runs once for each data set.
func (l *lanes) answers(ctx context.Context, of Tables) ([]byte, error) {
	l.asking.Lock()
	defer l.asking.Unlock()
	if known, ok := l.want[of]; ok {
		return known, nil
	}
	var out, trouble bytes.Buffer
	_, err := process.Run(ctx, process.Spec{
		Program: l.cfg.Jobs.Program, Args: []string{"run", of.Dataset, of.Dir, "--format", "json", "--quiet"}, Stdout: &out, Stderr: &trouble,
	}, time.Second)
	if err != nil {
		return nil, fmt.Errorf("answer %s in one process: %w: %s", of.Dataset, err, trouble.Bytes())
	}
	l.want[of] = out.Bytes()
	return out.Bytes(), nil
}

// submitted is the outcome of a submit command.
type submitted struct {
	stdout, stderr []byte
	status         int
	cancelled      bool // the command was told to cancel
	took           time.Duration
}

// cancelledStatus is the exit status of an interrupted command.
const cancelledStatus = 128 + int(syscall.SIGINT)

// said returns the last error that the command printed.
func (s submitted) said() string {
	return cmp.Or(supervisor.LastError(string(s.stderr)), fmt.Sprintf("status %d", s.status))
}

func (s submitted) id() string {
	if m := number.FindSubmatch(s.stderr); m != nil {
		return string(m[1][:8])
	}
	return "-"
}

// number matches what submit prints when its job is open.
var number = regexp.MustCompile(`(?m)^Job ([0-9a-f]+)$`)

// stream keeps the output of a process, and tells when it has printed its job's number.
type stream struct {
	mu     sync.Mutex
	text   bytes.Buffer
	opened chan struct{}
	once   sync.Once
}

func (s *stream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, err := s.text.Write(p)
	if number.Match(s.text.Bytes()) {
		s.once.Do(func() { close(s.opened) })
	}
	return n, err
}

// last returns the last line of what was printed.
func (s *stream) last() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(s.text.String()), "\n")
	return lines[len(lines)-1]
}

// endingGrace is for a submit command that is being stopped: it ends its job first.
const endingGrace = 15 * time.Second

// submit runs a submit command to its end. If a job is to be cancelled, it interrupts the
// command as soon as the job has a number.
func (l *lanes) submit(ctx context.Context, of Tables) (s submitted, err error) {
	l.submitted.Add(1)
	began := time.Now()
	var out bytes.Buffer
	said := &stream{opened: make(chan struct{})}
	args := append([]string{"submit", of.Dataset, of.Dir, "--format", "json"}, l.cfg.Jobs.Reach...)
	p, err := process.Start(process.Spec{Program: l.cfg.Jobs.Program, Args: args, Env: l.cfg.Jobs.Env, Stdout: &out, Stderr: said})
	if err != nil {
		return s, err
	}
	late, tell := time.After(l.cfg.Patience), time.NewTicker(tellEvery)
	defer tell.Stop()
	cancel, opened := (chan struct{})(nil), said.opened
	for waiting := true; waiting; {
		select {
		case <-p.Done():
			waiting = false
		case <-opened:
			cancel, opened = l.cancel, nil
		case <-cancel:
			s.cancelled, cancel = true, nil
			_ = p.Signal(syscall.SIGINT) // it may have ended
		case <-tell.C:
			l.say("a job of %s goes on since %.0f s: %s", of.Dataset, time.Since(began).Seconds(), said.last())
		case <-late:
			p.Stop(endingGrace)
			return s, fmt.Errorf("it takes more than %v", l.cfg.Patience)
		case <-ctx.Done():
			p.Stop(endingGrace)
			return s, context.Cause(ctx)
		}
	}
	s.stdout, s.stderr, s.status, s.took = out.Bytes(), said.text.Bytes(), p.State().ExitCode(), time.Since(began)
	if s.cancelled && s.status == 0 && len(s.stdout) > 0 {
		s.cancelled = false // it was done before the signal arrived
		l.cancel <- struct{}{}
	}
	return s, nil
}
