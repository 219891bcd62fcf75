package supervisor

import (
	"time"

	"analyzer/compose/cluster/membership"
)

// heard reports whether at least half of the nodes of this host other than the named one have answered
// this supervisor since some time. If they have not, perhaps it is the supervisor that is cut
// off.
func (s *Supervisor) heard(name string, since time.Time) bool {
	others, answered := 0, 0
	for other, w := range s.watches {
		if other == name || !s.own(w.node) || !w.probed() {
			continue
		}
		others++
		if w.lastAnswer().After(since) {
			answered++
		}
	}
	return 2*answered >= others
}

// brokerStarts reports whether a broker other than the named one is starting, which a broker
// that hangs has to wait for: several form one, which lives while most of them do. Of brokers on several hosts
// that hang, the first by name is the first.
func (s *Supervisor) brokerStarts(name string) bool {
	for other, w := range s.watches {
		if other == name || w.node.Role != membership.Broker {
			continue
		}
		state := w.report().State
		if state == membership.Starting || state == membership.Silent && other < name && w.node.Host != s.host() {
			return true
		}
	}
	return false
}
