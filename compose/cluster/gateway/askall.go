package gateway

import (
	"context"

	"analyzer/compose/cluster/protocol"
)

// answer is what became of asking one replica.
type answer struct {
	replica  int
	response *protocol.Response // nil with err
	err      error
}

// askAll asks replicas at once and returns when all have answered, when the
// context has ended, or as soon as one answer is enough; enough may be nil.
func (c *caller) askAll(ctx context.Context, replicas []int, r protocol.Request, enough func(answer) bool) []answer {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	out := make([]answer, len(replicas))
	done := make(chan int, len(replicas))
	for i, replica := range replicas {
		go func() {
			response, err := c.ask(ctx, replica, r)
			out[i] = answer{replica, response, err}
			done <- i
		}()
	}
	for range replicas {
		if i := <-done; enough != nil && enough(out[i]) {
			cancel()
		}
	}
	return out
}

// everybody returns the replicas there are.
func (c *caller) everybody() []int {
	out := make([]int, c.replicas)
	for r := range out {
		out[r] = r
	}
	return out
}
