package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"analyzer/bench/peers/internal/program"
)

// programs knows how each program is started.
type programs struct {
	analyzer string // empty: there is none
	peerDir  string
	data     string // holds one directory for each data set
	scratch  string
	threads  int
}

// env holds a program to the threads asked for, and its scratch files to where all others are.
func (p programs) env() []string {
	return []string{fmt.Sprintf("GOMAXPROCS=%d", p.threads), "TMPDIR=" + p.scratch}
}

// run is analyzer answering queries of a data set.
func (p programs) run(dataset string, queries, params []string) program.Command {
	argv := []string{
		p.analyzer, "run", dataset, filepath.Join(p.data, dataset),
		"--query", strings.Join(queries, ","), "--format", "json",
	}
	return program.Command{Name: "analyzer", Argv: withParams(argv, params), Env: p.env()}
}

// stress is analyzer answering one of the plans that do not fit into memory.
func (p programs) stress(workload, memory string) program.Command {
	argv := []string{
		p.analyzer, "bench", filepath.Join(p.data, "movies"), "--workload", workload, "--answers",
		"--memory", memory, "--format", "json",
	}
	return program.Command{Name: "analyzer", Argv: argv, Env: p.env()}
}

// duckdb is DuckDB answering queries of sql/FILE.sql over a data set. Memory is in DuckDB's spelling; empty leaves
// it DuckDB's default.
func (p programs) duckdb(file, dataset string, queries, params []string, memory string) program.Command {
	argv := append(p.duckdbIdle().Argv,
		"--sql", filepath.Join(p.peerDir, "sql", file+".sql"),
		"--data", filepath.Join(p.data, dataset),
		"--query", strings.Join(queries, ","))
	if memory != "" {
		argv = append(argv, "--memory", memory)
	}
	return program.Command{Name: "duckdb", Argv: withParams(argv, params), Env: p.env()}
}

// duckdbIdle is DuckDB opened and left again by its host process.
func (p programs) duckdbIdle() program.Command {
	return program.Command{
		Name: "duckdb",
		Argv: []string{
			"node", filepath.Join(p.peerDir, "duckdb.mjs"),
			"--threads", fmt.Sprint(p.threads), "--temp", filepath.Join(p.scratch, "duckdb"),
		},
		Env: p.env(),
	}
}

// oracle is a reference program: a command line that takes a data set, its directory and --param options.
func (p programs) oracle(line, dataset string, params []string) program.Command {
	argv := append(strings.Fields(line), dataset, filepath.Join(p.data, dataset))
	return program.Command{Name: "oracle", Argv: withParams(argv, params), Env: p.env()}
}

func withParams(argv, params []string) []string {
	for _, param := range params {
		argv = append(argv, "--param", param)
	}
	return argv
}
