// Package job describes one job of a cluster: its identity, the frozen plan, and
// what follows from them for everybody who takes part, such as which replica
// runs which stage, which queues there are, and who sends to them.
//
// All of it is a function of the Spec, which is fixed when the job is opened.
// Gateways, workers and clients compute it for themselves and agree.
package job
