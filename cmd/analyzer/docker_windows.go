package main

// dockerGroup returns the usual group: this system has none.
func dockerGroup() int { return usualDockerGroup }
