package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"
	"time"
)

// Slot is a file that stands for one process, which may outlive its parent (Spec.Outlive).
// The running process holds a lock on the file from its first instruction to its last. So
// anybody can tell whether it runs, even if its process ID has been reused, and nobody starts
// a second one.
//
// The lock belongs to an open file that the process inherits without knowing.
type Slot struct{ Path string }

// Occupant describes the process in a slot.
type Occupant struct {
	PID   int       `json:"pid"` // 0: not known yet
	Since time.Time `json:"since"`
	// Starts is how many processes have been started in the slot.
	Starts int `json:"starts"`
	// Left says that the process ended because it was asked to (Leave).
	Left bool `json:"left,omitempty"`
}

// slotVariable is the environment variable with the path of a process's slot.
const slotVariable = "ANALYZER_SLOT"

// ErrVacant says that no process runs in the slot.
var ErrVacant = errors.New("no process runs")

// Start starts a process in the slot and returns it. If one runs there already, it returns
// nil and no error.
func (s Slot) Start(spec Spec) (*Process, error) {
	lock, err := s.take()
	if err != nil || lock == nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // the process keeps it locked
	was, _ := read(lock)
	// The ID of the last process may belong to another one by now.
	if err := write(lock, Occupant{Starts: was.Starts}); err != nil {
		return nil, fmt.Errorf("note which process runs: %w", err)
	}
	spec.inherit = []*os.File{lock}
	if spec.Env == nil {
		spec.Env = os.Environ()
	}
	spec.Env = append(slices.Clip(spec.Env), slotVariable+"="+s.Path)
	p, err := Start(spec)
	if err != nil {
		return nil, err
	}
	err = write(lock, Occupant{PID: p.PID(), Since: time.Now(), Starts: was.Starts + 1})
	if err != nil {
		p.Kill() // nobody else could, without its ID
		return nil, fmt.Errorf("note which process runs: %w", err)
	}
	return p, nil
}

// Arrive waits until the parent has written this process's ID into its slot. If the parent
// does not, Arrive writes it: the parent may have been killed first, and nobody else knows
// the process. A process calls it first of all; without a slot it does nothing.
func Arrive() error {
	return inOwnSlot(func(f *os.File) error {
		o, err := read(f)
		for end := time.Now().Add(notedWithin); err == nil && o.PID == 0 && time.Now().Before(end); o, err = read(f) {
			time.Sleep(time.Millisecond)
		}
		if err == nil && o.PID == 0 {
			err = write(f, Occupant{PID: os.Getpid(), Since: time.Now(), Starts: o.Starts + 1})
		}
		return err
	})
}

// Leave notes in this process's slot that it ends because it was asked to, not by a crash. A
// process that watches the slot need not be the parent, and so cannot read the exit status. A
// process calls it last of all; without a slot it does nothing.
func Leave() error {
	return inOwnSlot(func(f *os.File) error {
		o, err := read(f)
		if err == nil && o.PID == os.Getpid() { // not the slot of a parent, whose environment was inherited
			o.Left = true
			err = write(f, o)
		}
		return err
	})
}

// inOwnSlot opens the slot of this process, if it has one, and calls do with it.
func inOwnSlot(do func(f *os.File) error) error {
	path := os.Getenv(slotVariable)
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = errors.Join(do(f), f.Close())
	}
	if err != nil {
		return fmt.Errorf("note that this process runs, or has ended: %w", err)
	}
	return nil
}

// Clear resets the slot, as if it had never been used. No process may run in it.
func (s Slot) Clear() error {
	release, err := s.Hold()
	if err != nil {
		return err
	}
	return errors.Join(os.Remove(s.Path), release())
}

// Hold makes this process the occupant of the slot until release is called.
func (s Slot) Hold() (release func() error, err error) {
	lock, err := s.take()
	if err != nil {
		return nil, err
	}
	if lock == nil {
		o, _ := s.Runs()
		return nil, fmt.Errorf("%s belongs to process %d, which runs", s.Path, o.PID)
	}
	if err := write(lock, Occupant{PID: os.Getpid(), Since: time.Now(), Starts: 1}); err != nil {
		return nil, errors.Join(err, lock.Close())
	}
	return lock.Close, nil
}

// Runs returns the process that runs in the slot; or ErrVacant, together with what is known
// of the last one.
func (s Slot) Runs() (Occupant, error) {
	f, err := os.Open(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return Occupant{}, ErrVacant
	}
	if err != nil {
		return Occupant{}, err
	}
	defer func() { _ = f.Close() }()
	// The lock is shared, so that concurrent calls do not take each other for the process.
	err = tryLock(f, shared)
	o, readErr := read(f)
	switch {
	case errors.Is(err, errLocked):
		return o, readErr
	case err != nil:
		return o, fmt.Errorf("look whether a process holds %s: %w", s.Path, err)
	}
	return o, ErrVacant
}

// Signal sends a signal to the process in the slot. It returns ErrVacant if there is none.
func (s Slot) Signal(signal syscall.Signal) error {
	o, err := s.Runs()
	for end := time.Now().Add(2 * notedWithin); err == nil && o.PID == 0 && time.Now().Before(end); o, err = s.Runs() {
		time.Sleep(time.Millisecond) // it has only just been started
	}
	if err != nil {
		return err
	}
	if o.PID <= 0 {
		return fmt.Errorf("%s does not say yet which process runs", s.Path)
	}
	if err := sendTo(o.PID, signal); err != nil {
		return fmt.Errorf("send %v to process %d: %w", signal, o.PID, err)
	}
	return nil
}

// notedWithin is how long a parent may take to write down the ID of a process.
const notedWithin = time.Second

// lookers is how long take retries: a concurrent Runs holds its lock for less.
const lookers = 100 * time.Millisecond

// errLocked is the error of locking a file that another process has locked.
var errLocked = errors.New("another process has it")

// take locks the file; it returns nil if a process holds the lock.
func (s Slot) take() (*os.File, error) {
	f, err := os.OpenFile(s.Path, os.O_RDWR|os.O_CREATE|noFollow, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(lookers); ; time.Sleep(time.Millisecond) {
		err := tryLock(f, exclusive)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, errLocked) {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", s.Path, err), f.Close())
		}
		if time.Now().After(end) {
			return nil, f.Close()
		}
	}
}

func read(f *os.File) (o Occupant, err error) {
	err = json.NewDecoder(io.NewSectionReader(f, 0, 4<<10)).Decode(&o)
	if err == io.EOF {
		return Occupant{}, nil
	}
	if err != nil {
		return Occupant{}, fmt.Errorf("%s does not say which process runs: %w", f.Name(), err)
	}
	return o, nil
}

// write overwrites the content in place, so that a concurrent reader never finds an empty
// file: what remains of a longer old text comes after a complete line.
func write(f *os.File, o Occupant) error {
	text, err := json.Marshal(o)
	if err != nil {
		return err
	}
	text = append(text, '\n')
	if _, err := f.WriteAt(text, 0); err != nil {
		return err
	}
	return f.Truncate(int64(len(text)))
}
