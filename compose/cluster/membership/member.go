package membership

import (
	"cmp"
	"time"
)

// Role is what a member of a cluster does.
type Role string

// The roles.
const (
	Worker     Role = "worker"
	Gateway    Role = "gateway"
	Supervisor Role = "supervisor"
	// Broker is that of a node that is watched and does not gossip.
	Broker Role = "broker"
)

// Member is a process as it announces itself.
type Member struct {
	Name  string    `json:"-"` // no two have the same
	Role  Role      `json:"role"`
	Rank  int       `json:"rank,omitempty"` // of supervisors
	HTTP  string    `json:"http,omitempty"` // host:port of its page; "": it has none
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // when it began
}

// Newcomer is how long a supervisor lives before it leads where another one can. It
// is several times what news take.
const Newcomer = 3 * time.Second

// Leader returns who leads among members: of the supervisors the one of highest
// rank, newcomers last; of equal ranks the first by name. false: there is no
// supervisor.
func Leader(members []Member, now time.Time) (leader Member, ok bool) {
	settled := func(m Member) int {
		if now.Sub(m.Since) < Newcomer {
			return 0
		}
		return 1
	}
	for _, m := range members {
		if m.Role != Supervisor {
			continue
		}
		order := cmp.Or(cmp.Compare(settled(m), settled(leader)), cmp.Compare(m.Rank, leader.Rank), cmp.Compare(leader.Name, m.Name))
		if !ok || order > 0 {
			leader, ok = m, true
		}
	}
	return leader, ok
}
