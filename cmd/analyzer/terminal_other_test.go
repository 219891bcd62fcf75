//go:build !linux

package main

import "github.com/rogpeppe/go-internal/testscript"

func terminal(ts *testscript.TestScript, _ bool, _ []string) {
	ts.Fatalf("there is no terminal on this system; put [!linux] skip before it")
}

func typing(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("there is no terminal") }
