package main

import (
	"fmt"
	"path/filepath"
	"runtime"
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

// peer is a program that analyzer is timed beside.
type peer struct {
	name, version string
	idle          program.Command // starts it, and leaves again
	// stress answers one of the plans that do not fit into so many MiB.
	stress func(workload string, memory int) program.Command
	// ask answers queries of a data set; nil: it can answer none of them. able are those it can answer, by data set;
	// nil: all that are timed.
	ask  func(d dataset, queries []string) program.Command
	able map[string][]string
}

// questions returns which of the timed queries of a data set the peer can answer.
func (b peer) questions(d dataset) []string {
	switch {
	case b.ask == nil:
		return nil
	case b.able == nil:
		return d.timed
	}
	return b.able[d.name]
}

const duckDB = "DuckDB"

func peerNames() []string { return []string{duckDB, "ClickHouse", "Polars", "encoding/csv"} }

// peers returns the named ones.
func (p programs) peers(names []string) ([]peer, error) {
	node := func(script string) func(args ...string) program.Command {
		return func(args ...string) program.Command {
			env := append(p.env(), fmt.Sprintf("POLARS_MAX_THREADS=%d", p.threads))
			return program.Command{Name: script, Argv: append([]string{"node", filepath.Join(p.peerDir, script)}, args...), Env: env}
		}
	}
	clickhouse, polars := node("clickhouse.mjs"), node("polars.mjs")
	plain := func(args ...string) program.Command {
		return program.Command{Name: "plaincsv", Argv: append([]string{filepath.Join(p.peerDir, "plaincsv", "plaincsv")}, args...), Env: p.env()}
	}
	ratings, threads := filepath.Join(p.data, "movies"), fmt.Sprint(p.threads)
	inClickHouse := func(file, dataset, queries string, more ...string) program.Command {
		return clickhouse(append([]string{
			"--threads", threads, "--sql", filepath.Join(p.peerDir, "sql", file+".clickhouse.sql"),
			"--data", filepath.Join(p.data, dataset), "--query", queries,
		}, more...)...)
	}
	known := map[string]peer{
		duckDB: {
			version: packageVersion(p.peerDir, "@duckdb/node-api"), idle: p.duckdbIdle(),
			// DuckDB's MB may be a million bytes, so its limit is spelled in MiB.
			stress: func(workload string, memory int) program.Command {
				return p.duckdb("stress", "movies", []string{workload}, nil, fmt.Sprintf("%dMiB", memory))
			},
			ask: func(d dataset, queries []string) program.Command { return p.duckdb(d.name, d.name, queries, nil, "") },
		},
		"ClickHouse": {
			version: "of chdb " + packageVersion(p.peerDir, "chdb"), idle: clickhouse("--threads", threads),
			stress: func(workload string, memory int) program.Command {
				return inClickHouse("stress", "movies", workload, "--memory", fmt.Sprint(memory<<20))
			},
			ask: func(d dataset, queries []string) program.Command {
				return inClickHouse(d.name, d.name, strings.Join(queries, ","))
			},
		},
		"Polars": {
			version: packageVersion(p.peerDir, "nodejs-polars") + " of Node, without a limit", idle: polars(),
			stress: func(workload string, _ int) program.Command { return polars("--data", ratings, "--workload", workload) },
			ask: func(d dataset, queries []string) program.Command {
				return polars("--data", filepath.Join(p.data, d.name), "--workload", d.name, "--query", strings.Join(queries, ","))
			},
			// The others read lists in Python's notation, for which its package for Node has no expressions.
			able: map[string][]string{"steam": {"q1", "q2", "q3", "q5"}, "books": {"q4"}},
		},
		"encoding/csv": {
			version: runtime.Version() + ", maps, without a limit", idle: plain(),
			stress: func(workload string, _ int) program.Command { return plain("--data", ratings, "--query", workload) },
		},
	}
	var all []peer
	for _, name := range names {
		found, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("no peer %q; there are %s", name, strings.Join(peerNames(), ", "))
		}
		found.name = name
		all = append(all, found)
	}
	return all, nil
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
