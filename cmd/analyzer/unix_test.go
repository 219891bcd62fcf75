package main

import (
	"strings"
	"testing"
)

func TestClustersNeedUnix(t *testing.T) {
	for _, system := range []string{"linux", "darwin", "freebsd"} {
		if err := needUnix(system, "analyzer worker"); err != nil {
			t.Errorf("%s: %v", system, err)
		}
	}
	err := needUnix("windows", "analyzer worker")
	if err == nil || !strings.HasPrefix(err.Error(), "analyzer worker needs a Unix system") {
		t.Errorf("Windows: %v", err)
	}
}
