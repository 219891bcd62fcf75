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
	// Broker is the role of a node that is watched but does not gossip.
	Broker Role = "broker"
)

// Member is a process as it announces itself to others.
type Member struct {
	Name  string    `json:"-"` // unique
	Role  Role      `json:"role"`
	Rank  int       `json:"rank,omitempty"` // for supervisors
	Host  string    `json:"host,omitempty"` // for supervisors: the machine whose nodes it starts; "": there is one
	HTTP  string    `json:"http,omitempty"` // host:port of its page; "": it has none
	PID   int       `json:"pid"`
	Since time.Time `json:"since"` // when it started
}

// Newcomer is how long a supervisor must live before it leads while another one can. It is
// several times what news takes to spread.
const Newcomer = 3 * time.Second

// Leader returns the leader among members: the supervisor of the highest rank, newcomers
// last, and the first by name of equal ranks. false: there is no supervisor.
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

// LeaderOf returns the leader of the supervisors of a host, which starts the host's nodes. false: there is no
// supervisor.
func LeaderOf(members []Member, host string, now time.Time) (leader Member, ok bool) {
	var there []Member
	for _, m := range members {
		if m.Host == host {
			there = append(there, m)
		}
	}
	return Leader(there, now)
}
