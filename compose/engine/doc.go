// Package engine puts the parts together into a running system.
//
// Run is the embedded one: it plans the queries, reads the tables with all
// cores, moves rows between stages through queues in memory and collects the
// answers, all in one process. A pipeline is one replica's run of one stage;
// what drives it, a scan or queues, is the same for every stage.
package engine
