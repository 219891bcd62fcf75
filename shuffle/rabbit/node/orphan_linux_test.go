package node

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"
)

const orphanEnv = "RABBITNODE_TEST_ORPHAN_DIR"

// TestNodeDiesWithItsParent runs this test again in another process, which
// starts a node and is killed.
func TestNodeDiesWithItsParent(t *testing.T) {
	if dir := os.Getenv(orphanEnv); dir != "" {
		n, err := Start(context.Background(), Config{Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("pids", n.server.PID(), n.epmd.PID())
		time.Sleep(time.Hour)
	}
	parent := exec.Command(os.Args[0], "-test.run=^TestNodeDiesWithItsParent$")
	parent.Env = append(os.Environ(), orphanEnv+"="+t.TempDir())
	out, err := parent.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	line, readErr := bufio.NewReader(out).ReadString('\n')
	parent.Process.Kill()
	parent.Wait()
	var server, epmd int
	if _, err := fmt.Sscanf(line, "pids %d %d", &server, &epmd); err != nil {
		t.Fatalf("the other process says %q: %v, %v", line, err, readErr)
	}
	for end := time.Now().Add(time.Minute); !gone(server) || !gone(epmd); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("server gone %v, epmd gone %v", gone(server), gone(epmd))
		}
	}
}
