package profile

import (
	"os"
	"path/filepath"
	"testing"

	"analyzer/columnar/vfs"
)

func TestProfilesAreWritten(t *testing.T) {
	dir := t.TempDir()
	stop, err := Start(vfs.OS(), "cpu,mem,trace:"+dir, []string{"analyzer", "worker", "--replica", "1", "--replicas", "2"})
	if err != nil {
		t.Fatal(err)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"worker-1.cpu", "worker-1.mem", "worker-1.trace"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestProfilesThatCannotBe(t *testing.T) {
	for _, wanted := range []string{"cpu", "heat:" + t.TempDir(), "cpu:" + filepath.Join(t.TempDir(), "nowhere"), "cpu,heat:" + t.TempDir()} {
		if _, err := Start(vfs.OS(), wanted, []string{"analyzer", "run"}); err == nil {
			t.Errorf("%q: no error", wanted)
		}
	}
	if stop, err := Start(vfs.OS(), "", nil); err != nil || stop() != nil {
		t.Error("no profile is an error")
	}
}

func TestProcessName(t *testing.T) {
	for want, line := range map[string][]string{
		"bench":        {"analyzer", "__bench"},
		"gateway-8815": {"analyzer", "gateway", "--replicas", "2", "--listen", "127.0.0.1:8815"},
		"":             {"analyzer"},
	} {
		if got := processName(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
