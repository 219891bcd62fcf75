package vfs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The reason of a crash is at the beginning of the file, in the space that was reserved.
func TestCrashOutput(t *testing.T) {
	const dies = "ANALYZER_TEST_DIES"
	if file := os.Getenv(dies); file != "" {
		if err := CrashOutput(file); err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			panic("of its own fault")
		}()
		<-done
	}
	file := filepath.Join(t.TempDir(), "CRASH")
	cmd := exec.Command(os.Args[0], "-test.run=^TestCrashOutput$")
	cmd.Env = append(os.Environ(), dies+"="+file)
	if out, err := cmd.CombinedOutput(); err == nil {
		t.Fatalf("it did not die: %s", out)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	if !strings.HasPrefix(text, "panic: of its own fault") || !strings.Contains(text, "goroutine ") {
		t.Errorf("it says %.200q", text)
	}
	if said := strings.TrimRight(text, "\n"); len(text) != 16<<10 || len(said) > len(text)/2 {
		t.Errorf("%d bytes of %d say it", len(said), len(text))
	}
}
