// Package e2e runs clusters of real processes on a real broker, kills processes at chosen
// moments, and checks exactly-once processing: the answers are byte for byte those of a run
// in one process, and nothing is left over.
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
// A process that dies is restarted, as a supervisor would. If a process ends without having
// been killed by the test, or takes too long to end when asked to, the test fails and shows
// the ends of all logs. The clusters of one Shared share a broker, each with a virtual host
// of its own; so tests that leave the broker itself alone run in parallel.
package e2e
