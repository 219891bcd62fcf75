package sim_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"analyzer/compose/cluster/sim"
)

// mutation is an edit of the worker's code that switches off, if mutant has its name, one of the
// mechanisms that make answers exact.
type mutation struct {
	name     string
	file     string
	old, new string
}

var mutations = []mutation{
	{
		"acknowledges first", "receive.go", "	for _, m := range messages {\n		fresh, err :=",
		`if mutant == "acknowledges first" { _ = d.Ack() }
		for _, m := range messages { fresh, err :=`,
	},
	{
		"does not drop duplicates", "receive.go", "return p.seen.Seen(m.port, m.Sender, m.ID)",
		`return p.seen.Seen(m.port, m.Sender, m.ID) && mutant != "does not drop duplicates" && mutant != "counts messages"`,
	},
	{
		"counts messages", "compute.go", "if p.stageOf(i) == stage && !p.seen.Complete(i) {",
		`if p.stageOf(i) == stage && !p.seen.Complete(i) {
			if s := p.seen.Stats(i); mutant == "counts messages" && s.Ended == s.Senders && uint64(p.d.Batches[i]) >= s.Known { continue }`,
	},
	{
		"computes the log alone", "compute.go", "	for _, m := range p.pending[port].messages {\n		rows, err",
		`	for _, m := range p.pending[port].messages {
			if mutant == "computes the log alone" { break }
			rows, err`,
	},
	{
		"forgets its ledger", "part.go", "if err := p.seen.UnmarshalBinary(d.Ledger); err != nil {",
		`if mutant == "forgets its ledger" {
		} else if err := p.seen.UnmarshalBinary(d.Ledger); err != nil {`,
	},
	{
		"is done before it has sent", "emit.go", "p.emitters = append(p.emitters, e)\n",
		`p.emitters = append(p.emitters, e)
		if mutant == "is done before it has sent" {
			f.Sent = true
			if err := p.commit(segment.Change{}); err != nil { p.broken(err); return }
		}
		`,
	},
	{
		"forgets what has ended", "end.go", "err := p.worker.Tombstones.Add(p.spec.ID, p.spec.Owner, reason)\n	if errors.Is(",
		`var err error
		if mutant != "forgets what has ended" { err = p.worker.Tombstones.Add(p.spec.ID, p.spec.Owner, reason) }
		if errors.Is(`,
	},
	{
		"keeps openings", "life.go", "if p.confirmed.Load() {\n		return p.spec.TTL",
		`if p.confirmed.Load() || mutant == "keeps openings" { return p.spec.TTL`,
	},
	{
		"blames kills", "blame.go", "b.cause = string(regexp.MustCompile(ownFault).Find(text))\n	}",
		`b.cause = string(regexp.MustCompile(ownFault).Find(text)) }
		if mutant == "blames kills" { b.cause = "it was killed" }`,
	},
	{
		"blames kills", "blame.go", "b.path(lastCrash)); err != nil {",
		`b.path(lastCrash)); err != nil && mutant != "blames kills" {`,
	},
	{
		"forgets appended files", "files.go", "	before := len(change.Add)\n",
		`if mutant == "forgets appended files" && len(d.Recent) >= p.worker.Commit.Merge { d.Recent = nil; return nil }
		before := len(change.Add)
		`,
	},
}

const mutantEnv = "ANALYZER_SIM_MUTANT"

// mutants compiles these tests with a worker that has all mutations, and returns the program.
func mutants(t *testing.T) string {
	t.Helper()
	const dir = "../worker"
	made := t.TempDir()
	texts := map[string]string{"mutant.go": fmt.Sprintf("package worker\n\nimport \"os\"\n\nvar mutant = os.Getenv(%q)\n", mutantEnv)}
	for _, m := range mutations {
		if texts[m.file] == "" {
			text, err := os.ReadFile(filepath.Join(dir, m.file))
			if err != nil {
				t.Fatal(err)
			}
			texts[m.file] = string(text)
		}
		if n := strings.Count(texts[m.file], m.old); n != 1 {
			t.Fatalf("%q: %s has %d times what is to be replaced: %q", m.name, m.file, n, m.old)
		}
		texts[m.file] = strings.Replace(texts[m.file], m.old, m.new, 1)
	}
	var overlay struct{ Replace map[string]string }
	overlay.Replace = make(map[string]string)
	for name, text := range texts {
		original, err := filepath.Abs(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		overlay.Replace[original] = filepath.Join(made, name)
		if err := os.WriteFile(overlay.Replace[original], []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list, program := filepath.Join(made, "overlay.json"), filepath.Join(made, "sim.test")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), "go", "test", "-c", "-overlay", list, "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("compile the mutants: %v\n%s", err, out)
	}
	return program
}

// The simulation catches a worker, disk or gateway that lacks one of the mechanisms that
// make answers exact.
func TestMutantsAreCaught(t *testing.T) {
	if testing.Short() {
		t.Skip("it is left out with -short")
	}
	program := mutants(t)
	var names []string
	for _, m := range mutations {
		if !slices.Contains(names, m.name) {
			names = append(names, m.name)
		}
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			run := exec.CommandContext(t.Context(), program, "-test.run=^TestSeedsOfAMutant$", "-test.v")
			run.Env = append(os.Environ(), mutantEnv+"="+name)
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			t.Logf("%s", out)
		})
	}
	for name, mutant := range map[string]sim.Config{
		"keeps no room for the end": {Stuffed: true, Fills: 3},
		"answers first":             {AnswerFirst: true},
		"does not sync files":       {Disk: sim.DiskKnobs{NoFileSync: true}},
		"does not sync directories": {Disk: sim.DiskKnobs{NoDirectorySync: true}},
	} {
		t.Run(name, func(t *testing.T) { catch(t, mutant) })
	}
}

// TestSeedsOfAMutant is what TestMutantsAreCaught runs in a process with a mutated worker.
func TestSeedsOfAMutant(t *testing.T) {
	if os.Getenv(mutantEnv) == "" {
		t.Skip("this worker has no mutation")
	}
	catch(t, sim.Config{})
}

// catch fails the test unless the answers of some seed are not exact.
func catch(t *testing.T, mutant sim.Config) {
	jobs := &scenarios{known: make(map[[3]uint64]scenario)}
	for s := range uint64(200) {
		cfg := configure(s + 1)
		cfg.Kills, cfg.Restarts, cfg.Losses, cfg.Wipes, cfg.Steps = 8, 2, 0, 0, 60_000
		cfg.Clocks, cfg.Sick, cfg.Stuffed, cfg.Fills, cfg.Reserve = false, false, mutant.Stuffed, mutant.Fills, 0
		cfg.Disk, cfg.AnswerFirst = mutant.Disk, mutant.AnswerFirst
		if err := jobs.simulate(t, cfg); err != nil {
			t.Logf("seed %d: %v", s+1, err)
			return
		}
	}
	t.Error("200 seeds were exact all the same")
}
