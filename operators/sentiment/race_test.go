//go:build race

package sentiment

// raceEnabled says that the race detector is on.
const raceEnabled = true
