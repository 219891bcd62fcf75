// Package exec runs one stage of a physical plan on one replica. It makes an
// operator for each node and passes rows from one to the next by calls. A
// driver, such as a scan or a queue, pushes rows into the stage's inputs and
// finishes them. Rows that leave the stage go to outlets.
package exec
