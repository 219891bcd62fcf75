// Package monitor shows how a process of a cluster is, over HTTP:
//
//	/healthz   200 while the process lives
//	/readyz    200 when it can work, else 503 and why not
//	/metrics   what it counts, for Prometheus
//
// Living is not being ready: a process whose broker is away lives, waits for it,
// and must not be restarted for that.
package monitor
