package rabbit

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"analyzer/shuffle/rabbit/node/nodetest"
)

var shared nodetest.Shared

func TestMain(m *testing.M) {
	os.Exit(shared.Main(m, func() error { return goleak.Find() }))
}
