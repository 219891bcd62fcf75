// Package local runs a whole cluster on one machine: a broker, workers and
// gateways, each a process of its own.
//
// The processes are this program again with another command. One that dies is
// started again, after a pause that grows as long as it keeps dying; what it was
// doing goes on, since a job survives the death of any of them. They end with the
// process that started them, even if that is killed, and leave no files in a
// directory that was not named.
package local
