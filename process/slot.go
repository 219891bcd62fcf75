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

// Slot is a file that stands for one process, which may outlive the one that
// started it (Spec.Outlive). The process that runs holds the file's lock from its first
// instruction to its last, so that anybody can tell whether it runs, however
// numbers of processes are used again, and nobody starts a second one.
//
// The lock belongs to an open file that the process inherits and knows nothing of.
type Slot struct{ Path string }

// Occupant is what is known of the process in a slot.
type Occupant struct {
	PID   int       `json:"pid"` // 0: not known yet
	Since time.Time `json:"since"`
	// Starts is how many processes the slot has had.
	Starts int `json:"starts"`
	// Left says that it has ended well, and said so (Leave).
	Left bool `json:"left,omitempty"`
}

// slotVariable tells a process the path of its slot.
const slotVariable = "ANALYZER_SLOT"

// ErrVacant says that no process runs in the slot.
var ErrVacant = errors.New("no process runs")

// Start starts a process in the slot and returns it. It is nil, without an error,
// if one runs there already.
func (s Slot) Start(spec Spec) (*Process, error) {
	lock, err := s.take()
	if err != nil || lock == nil {
		return nil, err
	}
	defer func() { _ = lock.Close() }() // the process keeps it locked
	was, _ := read(lock)
	// The number of the last process may be somebody else's by now.
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
		p.Kill() // nobody else could
		return nil, fmt.Errorf("note which process runs: %w", err)
	}
	return p, nil
}

// Arrive waits until the slot in which this process runs, if it runs in one, says so, and
// notes it itself if whoever has started it does not: that one may have been killed
// before it could, and nobody else knows the process. It is the first thing that it does.
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

// Leave notes, in the slot in which this process runs, if it runs in one, that it ends
// because it was asked to, and not by a crash: who looks may not be the one who has
// started it, and so cannot learn its exit status. It is the last thing that it does.
func Leave() error {
	return inOwnSlot(func(f *os.File) error {
		o, err := read(f)
		if err == nil && o.PID == os.Getpid() { // and not one that it has started
			o.Left = true
			err = write(f, o)
		}
		return err
	})
}

// inOwnSlot opens the slot in which this process runs, if it runs in one.
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

// Clear forgets all about the slot, in which no process may run.
func (s Slot) Clear() error {
	release, err := s.Hold()
	if err != nil {
		return err
	}
	return errors.Join(os.Remove(s.Path), release())
}

// Hold puts this process itself into the slot until release is called.
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

// Runs returns the process that runs in the slot, or ErrVacant, with what is known
// of the last one there.
func (s Slot) Runs() (Occupant, error) {
	f, err := os.Open(s.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return Occupant{}, ErrVacant
	}
	if err != nil {
		return Occupant{}, err
	}
	defer func() { _ = f.Close() }()
	// A shared lock, so that those who look at the same time do not see each other.
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	o, readErr := read(f)
	switch {
	case errors.Is(err, syscall.EWOULDBLOCK):
		return o, readErr
	case err != nil:
		return o, fmt.Errorf("look whether a process holds %s: %w", s.Path, err)
	}
	return o, ErrVacant
}

// Signal sends a signal to the process in the slot; ErrVacant says that there is
// none.
func (s Slot) Signal(signal syscall.Signal) error {
	o, err := s.Runs()
	for end := time.Now().Add(2 * notedWithin); err == nil && o.PID == 0 && time.Now().Before(end); o, err = s.Runs() {
		time.Sleep(time.Millisecond) // it has just been started
	}
	if err != nil {
		return err
	}
	if o.PID <= 0 {
		return fmt.Errorf("%s does not say yet which process runs", s.Path)
	}
	if err := syscall.Kill(o.PID, signal); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("send %v to process %d: %w", signal, o.PID, err)
	}
	return nil
}

// notedWithin is how long who has started a process may take to note that it has.
const notedWithin = time.Second

// lookers is how long somebody may be expected who only looks.
const lookers = 100 * time.Millisecond

// take locks the file; nil if a process has it.
func (s Slot) take() (*os.File, error) {
	f, err := os.OpenFile(s.Path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for end := time.Now().Add(lookers); ; time.Sleep(time.Millisecond) {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return f, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
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

// write writes over what is there, so that who reads meanwhile never finds nothing:
// what may remain of it comes after a line that is whole.
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
