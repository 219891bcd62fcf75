package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
	"analyzer/compose/cluster/worker"
)

// wipe takes the disk of a worker away, as a machine does that is replaced.
func wipe(t *testing.T, c *e2e.Cluster, replica int) {
	t.Helper()
	p := c.Worker(replica)
	p.Down()
	if err := os.RemoveAll(c.State(replica)); err != nil {
		t.Fatal(err)
	}
	p.Up()
}

// TestDiskLost wipes the disk of a worker at each phase of a job. The client begins the job again, and
// its answers are exact, unless some of them had begun or the client was gone: then the job fails, and
// says of which worker. Nothing is left of it, and the next one is exact.
func TestDiskLost(t *testing.T) {
	lengthy(t)
	t.Parallel()
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve})
	lost := regexp.MustCompile(`worker [01] has lost its part|the broker has lost the queue`)
	for replica, phases := range map[int][]string{0: {"open", "computing", "done"}, 1: {"upload", "emitting", "done"}} {
		for _, phase := range phases {
			t.Run(fmt.Sprintf("worker %d, %s", replica, phase), func(t *testing.T) {
				began := time.Now()
				r := lose(t, c, replica, phase)
				switch again := bytes.Contains(r.Stderr, []byte("begins again as another one")); {
				case again:
					c.Exact(r, "movies")
				case phase != "done" && len(r.Stdout) == 0:
					t.Errorf("it did not begin again:\n%s", r.Stderr)
				case r.Code != 1 || !lost.Match(r.Stderr):
					t.Errorf("status %d:\n%s", r.Code, r.Stderr)
				case !bytes.HasPrefix(c.Run("movies").Stdout, r.Stdout): // those that lie on the other worker
					t.Errorf("the answers that came before are not exact:\n%s", r.Stdout)
				}
				t.Logf("%v: %s", time.Since(began).Round(10*time.Millisecond), strings.TrimSpace(string(r.Stderr)))
				c.Quiet()
			})
		}
	}
	c.Exact(c.Submit(t.Context(), "movies"), "movies")
	c.Leftovers()
}

// lose wipes the disk of a worker at a phase of a job, and returns what who waits for
// the answers is told.
func lose(t *testing.T, c *e2e.Cluster, replica int, phase string) e2e.Result {
	t.Helper()
	begin := func(args ...string) *e2e.Client {
		return c.Begin(t.Context(), "", append(c.Submission("movies", "--block-size", "2KiB"), args...)...)
	}
	standing := func(point string) *e2e.Client {
		c.Worker(replica).Crash(point + ":1:60s")
		k := begin()
		c.Await("a stage to be "+phase, func() (string, bool) {
			said := c.Worker(replica).Log()
			return said, strings.Contains(said, "at the point "+point)
		})
		return k
	}
	switch phase {
	case "open":
		k := begin()
		k.AwaitJob()
		wipe(t, c, replica)
		return k.Wait()
	case "upload":
		last := c.Gateway(0).Metric(ackedMetric)
		k := begin()
		if !acked(c, k, last+30) {
			t.Fatalf("the upload was over:\n%s", k.Wait().Stderr)
		}
		wipe(t, c, replica)
		return k.Wait()
	case "computing":
		k := standing(worker.PointCompute)
		wipe(t, c, replica)
		return k.Wait()
	case "emitting":
		k := standing(worker.PointEmitPartial)
		wipe(t, c, replica)
		return k.Wait()
	}
	r := begin("--detach").Wait()
	if r.Code != 0 {
		t.Fatalf("submit --detach: status %d\n%s", r.Code, r.Stderr)
	}
	job := r.Job()
	c.Await("the job to be done", func() (string, bool) {
		r := c.Command(t.Context(), "jobs", "show", job, "--format", "json", "--gateway", c.Gateways())
		return string(r.Stdout) + string(r.Stderr), strings.Contains(string(r.Stdout), `"state": "done"`)
	})
	wipe(t, c, replica)
	r = c.Command(t.Context(), "jobs", "results", job, "--format", "json", "--gateway", c.Gateways())
	if ended := c.Command(t.Context(), "jobs", "cancel", job, "--gateway", c.Gateways()); ended.Code != 0 {
		t.Errorf("jobs cancel: status %d\n%s", ended.Code, ended.Stderr)
	}
	return r
}

// TestDiskReadOnly has the disk of a worker become read-only in the midst of a job, as
// Linux makes one that has errors. The job fails and says why, or goes on when the
// disk is back; other jobs are exact.
func TestDiskReadOnly(t *testing.T) {
	if !*long {
		t.Skip("it mounts file systems: make long")
	}
	if runtime.GOOS != "linux" || os.Geteuid() != 0 {
		t.Skip("only root on Linux can mount file systems")
	}
	c := shared.Start(t, e2e.Options{GatewayFlags: e2e.Serve, MayEnd: true})
	run := func(command string, args ...string) string {
		t.Helper()
		out, err := exec.Command(command, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%s %v: %v\n%s", command, args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	image, state := filepath.Join(c.Scratch(), "image"), c.State(1)
	c.Worker(1).Down()
	run("truncate", "--size", "64M", image)
	run("mkfs.ext4", "-q", image)
	mount := func() { run("mount", "-o", "loop,errors=remount-ro", image, state) }
	umount := func() { c.Worker(1).Down(); run("umount", state) }
	mount()
	defer umount()
	c.Worker(1).Up()
	c.AwaitReady()
	for _, flags := range [][]string{nil, {"--detach"}} {
		last := c.Gateway(0).Metric(ackedMetric)
		k := c.Begin(t.Context(), "", append(c.Submission("movies", "--block-size", "2KiB", "--patience", "20s"), flags...)...)
		if !acked(c, k, last+30) {
			t.Fatalf("the upload was over:\n%s", k.Wait().Stderr)
		}
		device := filepath.Base(run("findmnt", "-no", "SOURCE", state))
		if err := os.WriteFile("/sys/fs/ext4/"+device+"/trigger_fs_error", []byte("a test"), 0); err != nil {
			t.Fatal(err)
		}
		time.Sleep(5 * time.Second)
		umount()
		_ = exec.Command("e2fsck", "-fy", image).Run() // what it says is what it mended
		mount()
		c.Worker(1).Up()
		r := k.Wait()
		switch {
		case r.Code == 0 && flags == nil:
			c.Exact(r, "movies")
		case r.Code != 0 && !strings.Contains(string(r.Stderr), "read-only file system"):
			t.Errorf("status %d:\n%s", r.Code, r.Stderr)
		}
		t.Logf("%v: status %d after %v: %s", flags, r.Code, r.Took.Round(10*time.Millisecond), strings.TrimSpace(string(r.Stderr)))
		if ended := c.Command(t.Context(), "jobs", "cancel", r.Job(), "--gateway", c.Gateways()); ended.Code != 0 {
			t.Logf("jobs cancel: %s", ended.Stderr)
		}
		c.Quiet()
	}
	c.Exact(c.Submit(t.Context(), "books"), "books")
	c.Leftovers()
	t.Logf("worker 1 was started %d times", c.Worker(1).Starts())
}
