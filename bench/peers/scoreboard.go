package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

func scoreboardCommand() *cli.Command {
	return &cli.Command{
		Name:  "scoreboard",
		Usage: "count how much comes out right of what others wrote or would recognise",
		Flags: append(programFlags(), &cli.StringFlag{Name: "out", Usage: "write the counts to `FILE`", Required: true}),
		Action: func(c *cli.Context) error {
			p, clean, err := newPrograms(c)
			if err != nil {
				return err
			}
			defer clean()
			board := scoreboard{Day: time.Now().UTC().Format(time.DateOnly)}
			var failed []error
			for _, s := range scores(p) {
				err := s.count(c.Context)
				failed = append(failed, err)
				board.Scores = append(board.Scores, s)
				_, _ = fmt.Fprintf(c.App.Writer, "%s: %d right, %d refused, %d wrong\n", s.What, s.Right, s.Refused, s.Wrong)
			}
			text, err := json.MarshalIndent(board, "", " ")
			if err != nil {
				return err
			}
			return errors.Join(append(failed, os.WriteFile(c.String("out"), append(text, '\n'), 0o644))...)
		},
	}
}

// scoreboard is what JSON files and the page hold.
type scoreboard struct {
	Day    string   `json:"day"`
	Scores []*score `json:"scores"`
}

// score counts how one kind of question came out.
type score struct {
	What    string `json:"what"`    // with a unit: “questions of …”
	Command string `json:"command"` // how anyone repeats it
	Right   int    `json:"right"`
	Refused int    `json:"refused"` // by name
	Wrong   int    `json:"wrong"`
	Held    string `json:"held"` // the tests of make test that hold it
	Kinds   []kind `json:"kinds,omitempty"`

	run   command
	found *regexp.Regexp // of each line that counts: groups kind, right, refused and wrong, of which only right is necessary
}

// kind counts a part of a score.
type kind struct {
	Name    string `json:"name"`
	Right   int    `json:"right"`
	Refused int    `json:"refused"`
	Wrong   int    `json:"wrong"`
}

// scores returns the scoreboard, without counts.
func scores(p programs) []*score {
	peer := func(script string, args ...string) command {
		return command{name: script, argv: append([]string{"node", filepath.Join(p.peerDir, script)}, args...)}
	}
	test := func(args ...string) command {
		return command{name: args[1], argv: append([]string{"go", "test", "-count", "1", "-timeout", "60m", "-v"}, args...)}
	}
	suites := regexp.MustCompile(`(?P<right>\d+) equal, (?P<refused>\d+) refused, (?P<wrong>\d+) differ`)
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	texts := filepath.Join(p.scratch, "statements.txt")
	const plansHeld = "the rules' goldens, and DuckDB's answers to 1,000 random statements (compose/engine)"
	var all []*score
	for _, s := range []struct{ name, what, held string }{
		{"tpch", "questions of TPC-H, beside DuckDB", plansHeld},
		{"h2o", "questions of H2O's db-benchmark, beside DuckDB", plansHeld},
		{"clickbench", "questions of ClickBench, beside DuckDB", plansHeld},
		{"dialects", "one table in nineteen dialects and shapes, beside DuckDB", "TestDialects (columnar/csv)"},
		{"everyday", "questions of everyday work, beside DuckDB", plansHeld},
	} {
		all = append(all, &score{
			What: s.what, Command: "make suites PAIRS=0 SUITE=" + s.name, Held: s.held,
			run: peer("suites.mjs", "--analyzer", p.analyzer, "--pairs", "0", "--suite", s.name, "--data", p.scratch), found: suites,
		})
	}
	return append(
		all,
		&score{
			What: "answers to the fifteen questions, with other parameters too, beside DuckDB", Command: "make verify-peers DATA=…", Held: "recorded answers (datasets/catalog)",
			run:   command{name: "compare", argv: []string{self, "compare", "--peer-dir", p.peerDir, "--analyzer", p.analyzer, "--data", p.data}},
			found: regexp.MustCompile(`(?P<right>\d+) answers, \d+ rows, (?P<wrong>\d+) differences`),
		},
		&score{
			What: "random statements over random files, beside DuckDB", Command: "make test-peers STATEMENTS=2000", Held: "TestRandomStatements (compose/engine)",
			run:   peer("statements.mjs", "--analyzer", p.analyzer, "--seed", "1", "--count", "2000", "--texts", texts),
			found: regexp.MustCompile(`"equal":(?P<right>\d+),"differing":(?P<wrong>\d+)`),
		},
		&score{
			What: "these and all statements of the repository, printed, read by DuckDB's parser as the same", Command: "make test-peers STATEMENTS=2000", Held: "TestPrintIsInverse (operators/query/sql)",
			run: command{name: "roundtrip.mjs", argv: []string{
				"sh", "-c", `go test ./operators/query/sql -run TestWritePrinted -count=1 -args -texts "$1" -printed "$2" && node "$3" "$2"`, "sh",
				texts, filepath.Join(p.scratch, "printed.txt"), filepath.Join(p.peerDir, "roundtrip.mjs"),
			}},
			found: regexp.MustCompile(`"equal":(?P<right>\d+),"differing":(?P<wrong>\d+)`),
		},
		&score{
			What: "statements asked in two ways: TLP, NoREC", Command: "go test ./compose/engine -run TestIdentities -identities 2000 -v", Held: "TestIdentities (compose/engine)",
			run:   test("./compose/engine", "-run", "TestIdentities", "-identities", "2000"),
			found: regexp.MustCompile(`(?P<right>\d+) pairs have the same rows, (?P<refused>\d+) cannot be asked`),
		},
		&score{
			What: "tables made dirty by known operations, read back", Command: "make messy", Held: "TestMess (compose/session)",
			run:   test("./compose/session", "-run", "TestMess", "-rounds", "100"),
			found: messyLine(),
		},
		&score{
			What: "operations on an open job under kills, linearizable by Porcupine", Command: "go test ./compose/cluster/e2e -run TestHistories -histories 240 -v", Held: "TestHistories (compose/cluster/e2e)",
			run:   test("./compose/cluster/e2e", "-run", "TestHistories", "-histories", "240"),
			found: regexp.MustCompile(`(?P<right>\d+) operations under .*: Ok`),
		},
		&score{
			What: "simulated clusters whose disks and messages fail at random", Command: "go test ./compose/cluster/sim -run TestEverySeedIsExact -seeds 2000 -v", Held: "TestEverySeedIsExact (compose/cluster/sim)",
			run:   test("./compose/cluster/sim", "-run", "TestEverySeedIsExact", "-seeds", "2000"),
			found: regexp.MustCompile(`(?P<right>\d+) seeds, all exact`),
		},
	)
}

// messyLine is what TestMess says of a kind of mess.
func messyLine() *regexp.Regexp {
	return regexp.MustCompile(`(?:: (?P<kind>\S.*?) +)?(?P<right>\d+) exact +(?P<refused>\d+) named +(?P<wrong>\d+) wrong`)
}

// count runs the command and adds up what it says. A command that fails because something is wrong has counted that.
func (s *score) count(ctx context.Context) error {
	out, _, err := s.run.run(ctx)
	lines := s.found.FindAllSubmatch(out, -1)
	if len(lines) == 0 {
		return errors.Join(fmt.Errorf("%s: no line counts: %s", s.run.name, firstLines(string(bytes.TrimSpace(out)))), err)
	}
	for _, line := range lines {
		var k kind
		for i, name := range s.found.SubexpNames() {
			n, _ := strconv.Atoi(string(line[i]))
			switch name {
			case "kind":
				k.Name = string(line[i])
			case "right":
				k.Right = n
			case "refused":
				k.Refused = n
			case "wrong":
				k.Wrong = n
			}
		}
		s.Right, s.Refused, s.Wrong = s.Right+k.Right, s.Refused+k.Refused, s.Wrong+k.Wrong
		if k.Name != "" {
			s.Kinds = append(s.Kinds, k)
		}
	}
	slices.SortFunc(s.Kinds, func(a, b kind) int { return strings.Compare(a.Name, b.Name) })
	return err
}

// scoreTable prints the scoreboard.
func scoreTable(b scoreboard) string {
	var out strings.Builder
	out.WriteString("| what | right | of | refused by name | wrong | again | held in `make test` by |\n|---|--:|--:|--:|--:|---|---|\n")
	for _, s := range b.Scores {
		fmt.Fprintf(&out, "| %s | %d | %d | %d | %d | `%s` | %s |\n", s.What, s.Right, s.Right+s.Refused+s.Wrong, s.Refused, s.Wrong, s.Command, s.Held)
	}
	for _, s := range b.Scores {
		if len(s.Kinds) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\nBy kind, %s:\n\n| kind | right | of | refused by name | wrong |\n|---|--:|--:|--:|--:|\n", s.What)
		for _, k := range s.Kinds {
			fmt.Fprintf(&out, "| %s | %d | %d | %d | %d |\n", k.Name, k.Right, k.Right+k.Refused+k.Wrong, k.Refused, k.Wrong)
		}
	}
	fmt.Fprintf(&out, "\nCounted on %s.\n", b.Day)
	return out.String()
}
