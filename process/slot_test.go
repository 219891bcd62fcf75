package process

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"analyzer/process/processtest"
)

func slot(t *testing.T) Slot { return Slot{filepath.Join(t.TempDir(), "slot")} }

func TestSlotHasOneProcess(t *testing.T) {
	s := slot(t)
	if o, err := s.Runs(); !errors.Is(err, ErrVacant) || o.Starts != 0 {
		t.Errorf("%v, %v in an empty slot", o, err)
	}
	if err := s.Signal(syscall.SIGTERM); !errors.Is(err, ErrVacant) {
		t.Errorf("error %v from a signal for nobody", err)
	}
	first, err := s.Start(shell("exec sleep 60"))
	if err != nil {
		t.Fatal(err)
	}
	defer first.Kill()
	if second, err := s.Start(shell("exec sleep 60")); second != nil || err != nil {
		t.Errorf("a second one was started: %v, %v", second, err)
	}
	if o, err := s.Runs(); err != nil || o.PID != first.PID() || o.Starts != 1 || time.Since(o.Since) > time.Minute {
		t.Errorf("%+v, %v; want process %d", o, err, first.PID())
	}
	if err := s.Signal(syscall.SIGKILL); err != nil || !processtest.Killed(first.Err()) {
		t.Errorf("killed: %v; it ended with %v", err, first.Err())
	}
	within(t, "the slot is vacant", func() bool { o, err := s.Runs(); return errors.Is(err, ErrVacant) && o.Starts == 1 })
	third, err := s.Start(shell("exit 0"))
	if err != nil || third == nil {
		t.Fatalf("%v, %v: none after the end of the first", third, err)
	}
	if err := third.Err(); err != nil {
		t.Error(err)
	}
	if o, _ := s.Runs(); o.Starts != 2 {
		t.Errorf("%d starts, want 2", o.Starts)
	}
}

// TestSlotIsLeft covers three cases: a process says that it leaves; its child says so, which
// must not count for the parent; and nobody says anything.
func TestSlotIsLeft(t *testing.T) {
	const who = "LEAVES"
	switch os.Getenv(who) {
	case "":
	case "nobody":
		return
	default:
		if err := errors.Join(Arrive(), Leave()); err != nil {
			t.Fatal(err)
		}
		return
	}
	itself := Spec{Program: os.Args[0], Args: []string{"-test.run", "^TestSlotIsLeft$"}}
	child := shell("'" + os.Args[0] + "' -test.run '^TestSlotIsLeft$'; exit 0")
	for name, spec := range map[string]Spec{"itself": itself, "child": child, "nobody": itself} {
		s := slot(t)
		spec.Env = append(os.Environ(), who+"="+name)
		p, err := s.Start(spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Err(); err != nil {
			t.Fatal(err)
		}
		if o, err := s.Runs(); !errors.Is(err, ErrVacant) || o.Left != (name == "itself") {
			t.Errorf("%s: %+v, %v", name, o, err)
		}
	}
}

// TestSlotIsNoted lets a process write down its own ID, because its parent died first.
func TestSlotIsNoted(t *testing.T) {
	if os.Getenv(slotVariable) != "" {
		if err := Arrive(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
	}
	s := slot(t)
	lock, err := s.take()
	if err != nil {
		t.Fatal(err)
	}
	if err := write(lock, Occupant{Starts: 3}); err != nil {
		t.Fatal(err)
	}
	p, err := Start(Spec{
		Program: os.Args[0], Args: []string{"-test.run", "^TestSlotIsNoted$"},
		Env: append(os.Environ(), slotVariable+"="+s.Path), inherit: []*os.File{lock},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	lock.Close()
	within(t, "the process is known", func() bool { o, err := s.Runs(); return err == nil && o.PID == p.PID() && o.Starts == 4 })
	if err := s.Signal(syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	within(t, "the slot is vacant", func() bool { _, err := s.Runs(); return errors.Is(err, ErrVacant) })
}

// TestSlotOutlives kills the parent of a process. The process lives on, and can be found and
// ended by its slot.
func TestSlotOutlives(t *testing.T) {
	if os.Getenv("SLOT") != "" {
		spec := shell("exec sleep 60")
		spec.Outlive = true
		if _, err := (Slot{os.Getenv("SLOT")}).Start(spec); err != nil {
			t.Fatal(err)
		}
		select {} // until it is killed
	}
	s := slot(t)
	starter, err := Start(Spec{
		Program: os.Args[0], Args: []string{"-test.run", "^TestSlotOutlives$"}, Env: append(os.Environ(), "SLOT="+s.Path),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer starter.Kill()
	var o Occupant
	within(t, "a process runs", func() bool { o, err = s.Runs(); return err == nil && o.PID != 0 })
	starter.Kill()
	if again, err := s.Runs(); err != nil || again.PID != o.PID {
		t.Fatalf("%+v, %v once the one that started it was killed", again, err)
	}
	if p, err := s.Start(shell("exit 0")); p != nil || err != nil {
		t.Errorf("a second one was started: %v, %v", p, err)
	}
	if err := s.Signal(syscall.SIGKILL); err != nil {
		t.Error(err)
	}
	within(t, "the slot is vacant", func() bool { _, err := s.Runs(); return errors.Is(err, ErrVacant) })
}

func TestHoldIsAProcessOfItsOwn(t *testing.T) {
	s := slot(t)
	release, err := s.Hold()
	if err != nil {
		t.Fatal(err)
	}
	if o, err := s.Runs(); err != nil || o.PID != os.Getpid() {
		t.Errorf("%+v, %v", o, err)
	}
	if _, err := s.Hold(); err == nil || !strings.Contains(err.Error(), s.Path) {
		t.Errorf("error %v for a second one", err)
	}
	if err := release(); err != nil {
		t.Error(err)
	}
	if _, err := s.Runs(); !errors.Is(err, ErrVacant) {
		t.Errorf("error %v after it was released", err)
	}
}

// TestSlotDoesNotSayAnythingWrong reads slots whose process ID is not written yet: a signal
// must not go to process ID 0, which means the whole process group.
func TestSlotDoesNotSayAnythingWrong(t *testing.T) {
	for _, text := range []string{"", "{", `{"pid":0,"starts":3}`, `{"pid":-1}`, strconv.Itoa(os.Getpid())} {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			s := slot(t)
			if err := os.WriteFile(s.Path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := s.take()
			if err != nil || f == nil {
				t.Fatal(f, err)
			}
			if err := s.Signal(syscall.SIGKILL); err == nil || errors.Is(err, ErrVacant) {
				t.Errorf("error %v from a signal for a process that is not known", err)
			}
			f.Close()
		})
	}
}
