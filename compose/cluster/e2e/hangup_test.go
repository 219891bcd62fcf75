package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"analyzer/compose/cluster/e2e"
)

// TestHangingUpEndsPlanning sends a gateway a statement that takes long to plan, and hangs up soon:
// the gateway stops at once, where it would go on for seconds.
func TestHangingUpEndsPlanning(t *testing.T) {
	lengthy(t)
	if runtime.GOOS != "linux" {
		t.Skip("it reads how long a process has run on a core")
	}
	t.Parallel()
	address := e2e.FreeAddress(t)
	c := shared.Start(t, e2e.Options{Memory: "2GiB", GatewayFlags: []string{"--http", address}})
	w := web{t: t, base: "http://" + address}
	awaitPage(c, w)
	body := laborious(t)
	cpu := func() time.Duration {
		took, err := c.Gateway(0).CPU()
		if err != nil {
			t.Fatal(err)
		}
		return took
	}

	began := cpu()
	if status, answer := w.ask("POST", "/v1/jobs", strings.NewReader(body)); status != http.StatusBadRequest || !strings.Contains(string(answer), "steps") {
		t.Fatalf("status %d: %s", status, answer)
	}
	whole := cpu() - began
	if whole < 150*time.Millisecond {
		t.Fatalf("planning it takes only %v, too little to tell", whole)
	}

	ctx, hangUp := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer hangUp()
	if status, answer := w.askWithin(ctx, "POST", "/v1/jobs", strings.NewReader(body)); status != 0 {
		t.Fatalf("status %d before the client has hung up: %s", status, answer)
	}
	began = cpu()
	time.Sleep(2 * whole)
	after := cpu() - began
	t.Logf("planning takes %v, and %v after the client has hung up", whole, after)
	if after > whole/4 {
		t.Errorf("planning takes %v, and %v after the client has hung up", whole, after)
	}
	c.Exact(c.Submit(t.Context(), "movies"), "movies")
}

// laborious returns a request to open a job whose statement joins so many tables that planning it
// is given up.
func laborious(t *testing.T) string {
	t.Helper()
	columns := make([]string, 100)
	for i := range columns {
		columns[i] = fmt.Sprintf("c%d INTEGER", i)
	}
	var statement strings.Builder
	statement.WriteString("SELECT t0.c0 FROM t AS t0")
	for i := range 300 {
		fmt.Fprintf(&statement, " JOIN t AS t%d ON t0.c%d = t%d.c0", i+1, i%100, i+1)
	}
	text, err := json.Marshal(map[string]any{
		"tables": "CREATE TABLE t (" + strings.Join(columns, ", ") + ") FROM 't.csv'",
		"sql":    map[string]string{"q": statement.String()},
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
