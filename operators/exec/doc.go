// Package exec runs one stage of a physical plan on one replica: it makes an
// operator for each node and passes rows from one to the next by calls. Whoever
// drives it, a scan or a queue, pushes rows into the stage's inputs and finishes
// them; what leaves the stage goes to outlets.
package exec
