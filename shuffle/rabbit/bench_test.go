package rabbit

import (
	"fmt"
	"testing"

	"analyzer/shuffle/broker"
)

// BenchmarkMessages publishes persistent messages, and consumes and acknowledges
// them meanwhile; all are confirmed in the end.
func BenchmarkMessages(b *testing.B) {
	for _, kind := range []broker.Kind{broker.Classic, broker.Quorum} {
		for _, size := range []int{64 << 10, 256 << 10} {
			b.Run(fmt.Sprintf("%v/%dKiB", kind, size>>10), func(b *testing.B) { benchmark(b, kind, size) })
		}
	}
}

func benchmark(b *testing.B, kind broker.Kind, size int) {
	c, _ := open(b, shared.Node(b), nil)
	queue := "bench." + kind.String()
	must(b, c.Declare(soon(b), broker.Queue{Name: queue, Kind: kind}))
	defer func() { must(b, c.Delete(soon(b), queue)) }()
	came := make(chan struct{}, 1000)
	_, err := c.Consume(soon(b), queue, 64, func(d broker.Delivery) {
		must(b, d.Ack())
		came <- struct{}{}
	})
	must(b, err)
	body := make([]byte, size)
	results := make(chan error, b.N)
	b.SetBytes(int64(size))
	b.ReportAllocs()
	b.ResetTimer()
	go func() {
		for range b.N {
			if err := c.Publish(b.Context(), queue, body, func(err error) { results <- err }); err != nil {
				results <- err
			}
		}
	}()
	for range b.N {
		<-came
	}
	for range b.N {
		must(b, <-results)
	}
}
