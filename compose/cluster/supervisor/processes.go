package supervisor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"analyzer/columnar/vfs"
	"analyzer/process"
)

// Processes is the Driver for nodes that are processes on this machine. Unless they are Tied,
// they outlive the supervisor that has started them, and any other supervisor finds them by
// their slots.
type Processes struct {
	Program string
	Env     []string
	// Dir holds the directory run, with a slot for each node, and log, with a file for each.
	Dir string
	// Owned prevents nodes from being started once nobody owns the cluster.
	Owned bool
	// Tied nodes end with this process.
	Tied bool
	// In is the working directory of nodes; "": that of this process.
	In string

	mu      sync.Mutex
	started map[string]*process.Process // the last process that this driver started for each node
}

// Subdirectories of Dir.
const (
	RunDir = "run"
	LogDir = "log"
)

const (
	ownerName = "owner" // the slot held by the owner of the cluster
	wordLines = 10
)

// errOwnerless says why nothing is started any more.
var errOwnerless = errors.New("the cluster is ending: the process that owns it has")

func (p *Processes) slot(name string) process.Slot {
	return process.Slot{Path: filepath.Join(p.Dir, RunDir, name)}
}

// LogFile is the file that receives a node's output.
func (p *Processes) LogFile(name string) string { return filepath.Join(p.Dir, LogDir, name+".log") }

// MakeDirs creates Dir and the directories below it, for their owner alone.
func (p *Processes) MakeDirs() error {
	return vfs.MakeState(vfs.Private(), p.Dir, RunDir, LogDir)
}

// Own makes this process the owner until release is called.
func (p *Processes) Own() (release func() error, err error) { return p.slot(ownerName).Hold() }

// Forget resets the slots of nodes, as if they had never been started. None may be running.
func (p *Processes) Forget(nodes []Node) error {
	for _, n := range nodes {
		if err := p.slot(n.Name).Clear(); err != nil {
			return fmt.Errorf("%s: %w", n.Name, err)
		}
	}
	return nil
}

// Ownerless reports whether the cluster is an owned one whose owner has ended.
func (p *Processes) Ownerless() bool {
	if !p.Owned {
		return false
	}
	_, err := p.slot(ownerName).Runs()
	return errors.Is(err, process.ErrVacant)
}

// Look reports the condition of a node's process.
func (p *Processes) Look(_ context.Context, n Node) (c Condition, err error) {
	o, err := p.slot(n.Name).Runs()
	c = Condition{Runs: err == nil, Since: o.Since, Started: o.Starts > 0, Restarts: max(o.Starts-1, 0), Ending: p.ending(n.Name, o.PID), Left: o.Left}
	if c.Runs {
		c.PID = o.PID
	}
	if errors.Is(err, process.ErrVacant) {
		err = nil
	}
	return c, err
}

// ending says how a process ended, if this driver started it.
func (p *Processes) ending(name string, pid int) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	run := p.started[name]
	if run == nil || run.PID() != pid {
		return ""
	}
	select {
	case <-run.Done():
		return process.Ending(run.Err())
	default:
		return ""
	}
}

// Start starts the process of a node.
func (p *Processes) Start(_ context.Context, n Node) error {
	if p.Ownerless() {
		return errOwnerless
	}
	run, err := p.slot(n.Name).Start(process.Spec{Program: p.Program, Args: n.Args, Env: p.Env, Dir: p.In, Log: p.LogFile(n.Name), Outlive: !p.Tied})
	if err != nil || run == nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.started == nil {
		p.started = make(map[string]*process.Process)
	}
	p.started[n.Name] = run
	return nil
}

// Signal sends a signal to the process of a node.
func (p *Processes) Signal(_ context.Context, n Node, s syscall.Signal) error {
	if err := p.slot(n.Name).Signal(s); err != nil && !errors.Is(err, process.ErrVacant) {
		return fmt.Errorf("%s: %w", n.Name, err)
	}
	return nil
}

// Words returns the end of a node's log.
func (p *Processes) Words(_ context.Context, n Node) string {
	return process.Tail(p.LogFile(n.Name), wordLines)
}

// StartHost starts the supervisors of a host, which start its other nodes.
func (p *Processes) StartHost(ctx context.Context, t Topology, host string) error {
	if err := p.MakeDirs(); err != nil {
		return err
	}
	supervisors, _ := t.nodesOf(host)
	var errs []error
	for _, n := range supervisors {
		errs = append(errs, p.Start(ctx, n))
	}
	return errors.Join(errs...)
}

// HaltHost halts all nodes of a host: supervisors first, each of which starts the others again while it lives.
func (p *Processes) HaltHost(ctx context.Context, t Topology, host string, grace time.Duration) error {
	supervisors, others := t.nodesOf(host)
	for {
		if err := HaltAll(ctx, p, grace, supervisors); err != nil {
			return err
		}
		running := slices.ContainsFunc(supervisors, func(n Node) bool {
			c, err := p.Look(ctx, n)
			return err == nil && c.Runs
		})
		if !running {
			return HaltAll(ctx, p, grace, others)
		}
	}
}
