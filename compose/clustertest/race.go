//go:build race

package clustertest

// race says that the test, and so the program, has the race detector.
const race = true
