// Package e2e runs clusters of real processes on a real broker, ends them
// at chosen moments, and holds them to what exactly-once means: the answers are
// byte for byte those of a run in one process, and nothing is left over.
//
//	var shared e2e.Shared
//
//	func TestMain(m *testing.M) { os.Exit(shared.Main(m)) }
//
//	func TestIt(t *testing.T) {
//		c := shared.Start(t, e2e.Options{Workers: 2, Gateways: 1})
//		c.Worker(1).Crash("rename:3")
//		c.Exact(c.Submit(t.Context(), "movies"), "movies")
//		c.Worker(1).Hit()
//		c.Leftovers()
//	}
//
// A process that dies is started again, as a supervisor would. One that ends
// without having been killed by the test, or takes too long to end when it is
// asked to, fails the test, which then shows the ends of all logs. Clusters of one
// Shared share a broker, with a virtual host each: tests that leave the broker itself
// alone run in parallel.
package e2e
