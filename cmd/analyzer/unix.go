package main

import "analyzer/compose/session/fault"

// needUnix refuses on Windows what runs parts of a cluster: they take signals, and locks that
// processes inherit.
func needUnix(system, what string) error {
	if system != "windows" {
		return nil
	}
	return fault.WrongUsage("Next: run it on Linux, macOS or FreeBSD. Here sql, run, sniff and bench work on files, and submit and jobs with a cluster elsewhere.",
		"%s needs a Unix system, and this is Windows", what)
}
