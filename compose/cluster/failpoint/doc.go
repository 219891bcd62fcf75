// Package failpoint ends the process at named points of the program, for tests of
// what a crash leaves behind.
//
// Processes of a cluster take the point from the environment:
//
//	ANALYZER_CRASH=rename:3
//
// kills the process, as kill -9 would, when it passes the point “rename” for the
// third time. Nothing is flushed, closed or told to anybody.
package failpoint
