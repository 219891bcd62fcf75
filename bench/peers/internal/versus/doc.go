// Package versus times two programs side by side: in turn, pair by pair, so that whatever else the machine does hits
// both, and compares each run with its neighbour rather than with an average of another minute.
package versus
