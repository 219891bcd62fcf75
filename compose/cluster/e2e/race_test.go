//go:build race

package e2e

// race says that the test, and so the program, has the race detector.
const race = true
