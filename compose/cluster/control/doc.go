// Package control is how gateways and workers talk about jobs: requests to a
// worker's control queue, and responses to the queue of who asked.
//
// Requests are answered at least once and may arrive twice; each is made so that
// doing it again changes nothing. What must not get lost, the end of a job, is
// repeated by who decided it until everybody has confirmed.
package control
