package main

import (
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// programs knows how each program is started.
type programs struct {
	analyzer string // empty: none
	peerDir  string
	data     string // holds one directory for each data set
	scratch  string
	threads  int
}

// command returns a command that limits a program to p.threads, and puts its scratch files where those of all others are.
func (p programs) command(name string, argv ...string) command {
	return command{name, argv, []string{
		fmt.Sprintf("GOMAXPROCS=%d", p.threads), fmt.Sprintf("POLARS_MAX_THREADS=%d", p.threads), "TMPDIR=" + p.scratch,
	}}
}

// run returns the command of analyzer that answers queries of a data set.
func (p programs) run(dataset string, queries, params []string) command {
	argv := []string{
		p.analyzer, "run", dataset, filepath.Join(p.data, dataset),
		"--query", strings.Join(queries, ","), "--format", "json",
	}
	return p.command("analyzer", withParams(argv, params)...)
}

// stress returns the command of analyzer that answers one of the plans whose state exceeds memory.
func (p programs) stress(workload, memory string) command {
	return p.command("analyzer", p.analyzer, "bench", filepath.Join(p.data, "movies"), "--workload", workload, "--answers",
		"--memory", memory, "--format", "json")
}

// node returns the command of a script that Node runs.
func (p programs) node(script string, args ...string) command {
	return p.command(strings.TrimSuffix(script, ".mjs"), slices.Concat([]string{"node", filepath.Join(p.peerDir, script)}, args)...)
}

// asking returns the arguments that name a file of SQL for a data set, and queries in it.
func (p programs) asking(file, dataset string, queries ...string) []string {
	return []string{
		"--sql", filepath.Join(p.peerDir, "sql", file+".sql"),
		"--data", filepath.Join(p.data, dataset), "--query", strings.Join(queries, ","),
	}
}

// duckdb returns the command of DuckDB with arguments; without any, its host process opens DuckDB and exits.
func (p programs) duckdb(args ...string) command {
	return p.node("duckdb.mjs", append([]string{"--threads", fmt.Sprint(p.threads), "--temp", filepath.Join(p.scratch, "duckdb")}, args...)...)
}

// peer is a program that analyzer is compared with for time and memory.
type peer struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Start   timed  `json:"start"` // runs of idle

	idle command // starts the host process, which exits at once
	// stress answers one of the stress plans, with memory in MiB.
	stress func(workload string, memory int) command
	// ask answers queries of a data set; nil: the peer can answer none. able holds the queries it can answer, by data
	// set; nil: all timed ones.
	ask  func(d dataset, queries []string) command
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
	clickhouse := func(args ...string) command {
		return p.node("clickhouse.mjs", append([]string{"--threads", fmt.Sprint(p.threads)}, args...)...)
	}
	plain := func(args ...string) command {
		return p.command("plaincsv", append([]string{filepath.Join(p.peerDir, "plaincsv", "plaincsv")}, args...)...)
	}
	ratings := filepath.Join(p.data, "movies")
	known := map[string]peer{
		duckDB: {
			Version: packageVersion(p.peerDir, "@duckdb/node-api"), idle: p.duckdb(),
			// DuckDB's MB may be a million bytes, so its limit is given in MiB.
			stress: func(workload string, memory int) command {
				return p.duckdb(append(p.asking("stress", "movies", workload), "--memory", fmt.Sprintf("%dMiB", memory))...)
			},
			ask: func(d dataset, queries []string) command { return p.duckdb(p.asking(d.name, d.name, queries...)...) },
		},
		"ClickHouse": {
			Version: "of chdb " + packageVersion(p.peerDir, "chdb"), idle: clickhouse(),
			stress: func(workload string, memory int) command {
				return clickhouse(append(p.asking("stress.clickhouse", "movies", workload), "--memory", fmt.Sprint(memory<<20))...)
			},
			ask: func(d dataset, queries []string) command {
				return clickhouse(p.asking(d.name+".clickhouse", d.name, queries...)...)
			},
		},
		"Polars": {
			Version: packageVersion(p.peerDir, "nodejs-polars") + " of Node, without a limit", idle: p.node("polars.mjs"),
			stress: func(workload string, _ int) command {
				return p.node("polars.mjs", "--data", ratings, "--workload", workload)
			},
			ask: func(d dataset, queries []string) command {
				return p.node("polars.mjs", "--data", filepath.Join(p.data, d.name), "--workload", d.name, "--query", strings.Join(queries, ","))
			},
			// The other queries read lists in Python's notation, for which Polars' Node package has no expressions.
			able: map[string][]string{"steam": {"q1", "q2", "q3", "q5"}, "books": {"q4"}},
		},
		"encoding/csv": {
			Version: runtime.Version() + ", maps, without a limit", idle: plain(),
			stress: func(workload string, _ int) command { return plain("--data", ratings, "--query", workload) },
		},
	}
	var all []peer
	for _, name := range names {
		found, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("no peer %q; there are %s", name, strings.Join(peerNames(), ", "))
		}
		found.Name = name
		all = append(all, found)
	}
	return all, nil
}

// oracle is a reference program: a command line that takes a data set, its directory and --param options.
func (p programs) oracle(line, dataset string, params []string) command {
	argv := append(strings.Fields(line), dataset, filepath.Join(p.data, dataset))
	return p.command("oracle", withParams(argv, params)...)
}

func withParams(argv, params []string) []string {
	for _, param := range params {
		argv = append(argv, "--param", param)
	}
	return argv
}
