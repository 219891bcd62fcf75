package supervisor

import (
	"time"

	"analyzer/compose/cluster/membership"
)

// heard reports whether at least half of the nodes other than the named one have answered
// this supervisor since some time. If they have not, perhaps it is the supervisor that is cut
// off.
func (s *Supervisor) heard(name string, since time.Time) bool {
	others, answered := 0, 0
	for other, w := range s.watches {
		if other == name || other == s.cfg.Group.Self().Name || !w.probed() {
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
// that hangs has to wait for: several form one, which lives while most of them do.
func (s *Supervisor) brokerStarts(name string) bool {
	for other, w := range s.watches {
		if other != name && w.node.Role == membership.Broker && w.report().State == membership.Starting {
			return true
		}
	}
	return false
}
