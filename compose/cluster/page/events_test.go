package page

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"analyzer/compose/cluster/protocol"
)

type watcherKey struct{}

// One client that watches as much as it can leaves room for others.
func TestWatchersHaveShares(t *testing.T) {
	owner := func(ctx context.Context) string { name, _ := ctx.Value(watcherKey{}).(string); return name }
	p, err := New(Config{Enter: everybody, Owner: owner})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = p.Close() }()
	watching := 0
	var watch func(name string, more int) error
	watch = func(name string, more int) error {
		r := httptest.NewRequestWithContext(context.WithValue(t.Context(), watcherKey{}, name), http.MethodGet, "/v1/events", nil)
		return p.watch(httptest.NewRecorder(), r, listEvery, func(context.Context, *events) error {
			if watching++; more > 1 {
				if err := watch(name, more-1); err != nil { // while this one goes on
					return err
				}
			}
			return errOver
		})
	}
	if err := watch("greedy", maxWatchers); protocol.CodeOf(err) != protocol.Busy || watching != maxWatchers/2 {
		t.Errorf("%d streams of one client: %v", watching, err)
	}
	if err := watch("modest", maxWatchers/2); err != nil {
		t.Errorf("another client: %v", err)
	}
}
