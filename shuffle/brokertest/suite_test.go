package brokertest

import (
	"testing"
	"time"

	"analyzer/shuffle/broker"
	"analyzer/shuffle/rabbit/node/nodetest"
)

// harness is a broker under test. All fields are needed. Its functions end the
// test when they fail.
type harness struct {
	// open returns a new client, which the suite closes, and its counters.
	open func(t testing.TB) (broker.Broker, *broker.Counters)
	// cut ends all connections of all clients from the broker's side.
	cut func(t testing.TB)
	// down crashes the broker, up starts it again on the same data.
	down, up func(t testing.TB)
	// block begins and ends an alarm.
	block func(t testing.TB, on bool)
	// kinds are the kinds of queues to try.
	kinds []broker.Kind
	// many is how many subscriptions of one client to try.
	many int
}

// patience is how long a test waits for what must happen; quiet is how long it
// waits for what must not.
const (
	patience = nodetest.Patience
	quiet    = 300 * time.Millisecond
)

// run tests a broker. Afterwards all queues are gone.
func run(t *testing.T, h harness) {
	for _, kind := range h.kinds {
		t.Run(kind.String(), func(t *testing.T) {
			for _, c := range perKind {
				t.Run(c.name, func(t *testing.T) { c.run(newScene(t, h, kind)) })
			}
		})
	}
	for _, c := range once {
		t.Run(c.name, func(t *testing.T) { c.run(newScene(t, h, h.kinds[0])) })
	}
}

type testCase struct {
	name string
	run  func(*scene)
}

// perKind are the tests in which the kind of queue matters.
var perKind = []testCase{
	{"ConcurrentPublishers", testConcurrentPublishers},
	{"Published", testPublished},
	{"UnackedComeAgain", testUnackedComeAgain},
	{"AckedStayAway", testAckedStayAway},
	{"Requeue", testRequeue},
	{"Prefetch", testPrefetch},
	{"OneCallAtATime", testOneCallAtATime},
	{"SettledOnce", testSettledOnce},
	{"SingleActive", testSingleActive},
	{"CompetingConsumers", testCompetingConsumers},
	{"Cancel", testCancel},
	{"DeclareAgain", testDeclareAgain},
	{"DeleteWhileConsuming", testDeleteWhileConsuming},
	{"BodySizes", testBodySizes},
	{"ManyQueues", testManyQueues},
	{"Depth", testDepth},
	{"Throughput", testThroughput},
	{"ConnectionLost", testConnectionLost},
	{"Crash", testCrash},
}

// once are the other tests.
var once = []testCase{
	{"MissingQueue", testMissingQueue},
	{"BadArguments", testBadArguments},
	{"Exclusive", testExclusive},
	{"EndedContext", testEndedContext},
	{"Close", testClose},
	{"CloseWhileAway", testCloseWhileAway},
	{"Blocked", testBlocked},
	{"CloseWhileBlocked", testCloseWhileBlocked},
	{"PublishAll", testPublishAll},
	{"ManySubscriptions", testManySubscriptions},
}
