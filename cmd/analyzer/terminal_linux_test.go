package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// terminal runs a command with its output on a pseudo-terminal of a number of
// columns, and writes what that shows into a file.
func terminal(ts *testscript.TestScript, _ bool, args []string) {
	width, err := strconv.ParseUint(args[1], 10, 16)
	ts.Check(err)
	control, end, err := openTerminal(uint16(width))
	ts.Check(err)
	defer control.Close()
	cmd := command(ts, args[2:])
	cmd.Stdout, cmd.Stderr = end, end
	ts.Check(cmd.Start())
	ts.Check(end.Close())
	var shown bytes.Buffer
	// Reading ends with EIO when the last process has closed its end.
	_, _ = io.Copy(&shown, control)
	ts.Check(cmd.Wait())
	text := bytes.ReplaceAll(shown.Bytes(), []byte("\r\n"), []byte("\n"))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), text, 0o644))
}

// openTerminal returns both ends of a pseudo-terminal, see pts(4).
func openTerminal(columns uint16) (control, end *os.File, err error) {
	control, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	fd := int(control.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return nil, nil, fmt.Errorf("unlock the terminal: %w", err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return nil, nil, fmt.Errorf("find the terminal's name: %w", err)
	}
	end, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return nil, nil, err
	}
	return control, end, unix.IoctlSetWinsize(int(end.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 40, Col: columns})
}

// typing runs a command on a pseudo-terminal, types the lines of a file when there is a
// prompt, and writes what is shown into a file. ^C in a line is that key, ^I the tabulator, ^M the
// one that ends a line, ^P the one before, ^[ escape; ^T stands for the signal TERM. What surrounds a ^I is typed before and after
// it, everything else of a line, tabulators too, comes at once, as if pasted.
func typing(ts *testscript.TestScript, _ bool, args []string) {
	width, err := strconv.ParseUint(args[1], 10, 16)
	ts.Check(err)
	control, end, err := openTerminal(uint16(width))
	ts.Check(err)
	defer control.Close()
	cmd := command(ts, args[3:])
	cmd.Stdin, cmd.Stdout, cmd.Stderr = end, end, end
	cmd.Env = append(cmd.Env, "TERM=xterm", "XDG_CACHE_HOME="+ts.MkAbs("cache"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	ts.Check(cmd.Start())
	name := end.Name()
	ts.Check(end.Close())
	late := time.AfterFunc(time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var shown bytes.Buffer
	piece := make([]byte, 4096)
	fresh := regexp.MustCompile(`(^|\n)(\x1b\[\?2004[hl])*[a-z. ]+> $`) // and not one that is painted again while a line is typed
	prompt := func() bool {
		for seen := shown.Len(); ; {
			n, err := control.Read(piece)
			shown.Write(piece[:n])
			if fresh.Match(shown.Bytes()) && shown.Len() > seen {
				return true
			}
			if err != nil {
				return false
			}
		}
	}
	keys := strings.NewReplacer("^C", "\x03", "^I", "\t", "^M", "\r", "^P", "\x10", "^[", "\x1b")
	want := 0
	for line := range strings.Lines(ts.ReadFile(args[2])) {
		if !prompt() {
			break
		}
		if line == "^T\n" {
			ts.Check(cmd.Process.Signal(syscall.SIGTERM))
			want = 128 + int(syscall.SIGTERM)
			break
		}
		for part := range strings.SplitAfterSeq(strings.TrimSuffix(line, "\n")+"^M", "^I") {
			ts.Check(untilRead(name))
			_, err := control.WriteString(keys.Replace(part))
			ts.Check(err)
		}
	}
	_, _ = io.Copy(&shown, control)
	if got := exitStatus(ts, cmd.Wait()); got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
	text := shown.String()
	if strings.LastIndex(text, markPastes) >= strings.LastIndex(text, dontMark) {
		ts.Fatalf("the terminal is not told to mark what is pasted, or not told to stop it: %q", text)
	}
	text = strings.NewReplacer("\r\n", "\n", markPastes, "", dontMark, "").Replace(text)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// untilRead waits until all that was typed on a terminal has been read.
func untilRead(name string) error {
	end, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		return err
	}
	defer end.Close()
	for range 10000 {
		if n, err := unix.IoctlGetInt(int(end.Fd()), unix.TIOCINQ); err != nil || n == 0 {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return fmt.Errorf("what was typed on %s is not read", name)
}
