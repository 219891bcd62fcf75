package vfs

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"
)

// TestMain makes a temporary directory and waits to be killed, if it was started
// for that.
func TestMain(m *testing.M) {
	if dir := os.Getenv("VFS_TEMP_IN"); dir != "" {
		name, err := OS().MkdirTemp(dir, "x-*-y")
		if err != nil {
			panic(err)
		}
		if err := os.WriteFile(filepath.Join(name, "f"), nil, 0o600); err != nil {
			panic(err)
		}
		os.Stdout.WriteString(name + "\n")
		time.Sleep(time.Hour)
	}
	os.Exit(m.Run())
}

// startHolder starts a process that has a temporary directory, and returns that.
func startHolder(t *testing.T, dir string) (cmd *exec.Cmd, name string) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "VFS_TEMP_IN="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return cmd, filepath.Base(line[:len(line)-1])
}

func TestWhatKilledProcessesLeftIsRemoved(t *testing.T) {
	dir := t.TempDir()
	killed, left := startHolder(t, dir)
	_, used := startHolder(t, dir)
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	for _, other := range []string{"x-1-z", "x--y", "x-a1-y", "xx-1-y"} {
		if err := os.Mkdir(filepath.Join(dir, other), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "x-2-y"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	fs := OS()
	own, err := fs.MkdirTemp(dir, "x-*-y")
	if err != nil {
		t.Fatal(err)
	}
	// Another file system of this process takes nothing from the first one.
	second, err := OS().MkdirTemp(dir, "x-*-y")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"x-1-z", "x--y", "x-a1-y", "xx-1-y", "x-2-y", used, filepath.Base(own), filepath.Base(second)}
	slices.Sort(want)
	got, err := fs.List(dir)
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q is there (%v), want %q; %s is of a killed process", got, err, want, left)
	}
	if err := fs.RemoveAll(own); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(own); !os.IsNotExist(err) {
		t.Errorf("removed: %v", err)
	}
}

// TestTemporaryDirectoriesOutliveTheirFileSystem collects a file system of which only a directory is
// remembered: nobody takes that for a leftover.
func TestTemporaryDirectoriesOutliveTheirFileSystem(t *testing.T) {
	dir := t.TempDir()
	name, err := OS().MkdirTemp(dir, "x-*-y")
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // a file is closed some time after it was collected
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
	if _, err := OS().MkdirTemp(dir, "x-*-y"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(name); err != nil {
		t.Error(err)
	}
}
