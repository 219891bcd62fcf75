package nodetest_test

import (
	"os"
	"strings"
	"testing"

	"analyzer/shuffle/rabbit/node/nodetest"
)

var shared nodetest.Shared

func TestMain(m *testing.M) { os.Exit(shared.Main(m)) }

func TestEval(t *testing.T) {
	n := shared.Node(t)
	if out, err := nodetest.Eval(t.Context(), n, `lists:append("a ", "b")`); err != nil || strings.TrimSpace(out) != `"a b"` {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := nodetest.Eval(t.Context(), n, `nothing:at_all()`); err == nil {
		t.Errorf("a function that is not there has the value %q", out)
	}
}
