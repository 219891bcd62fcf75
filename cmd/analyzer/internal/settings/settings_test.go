package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

// read is what flags of a small program say.
type read struct {
	*Settings
	memory, rejects string
	queries         []string
	params          map[string]string
}

// load parses a command line of the program and returns its settings.
func load(t *testing.T, line ...string) (s read, loadErr error) {
	t.Helper()
	app := &cli.App{
		Name: "analyzer", DisableSliceFlagSeparator: true, HideHelp: true,
		Commands: []*cli.Command{
			{
				Name: "run",
				Flags: []cli.Flag{
					Text(&s.memory, "memory", "", ""),
					Text(&s.rejects, "max-rejects", "", ""),
					List(&s.queries, "query", "", ""),
					Pairs(&s.params, "param", ""),
					ConfigFlag(),
				},
				Action: func(c *cli.Context) error {
					s.Settings, loadErr = Load(c, c.App.Commands)
					return nil
				},
			},
			{Name: "generate", Flags: []cli.Flag{&cli.StringFlag{Name: "seed"}}},
		},
	}
	if err := app.Run(append([]string{"analyzer", "run"}, line...)); err != nil {
		t.Fatal(err)
	}
	return s, loadErr
}

func file(t *testing.T, text string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "analyzer.yaml")
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestFlagsBeforeEnvironmentBeforeFile(t *testing.T) {
	config := file(t, "memory: 3MiB\nmax-rejects: 7\nseed: 1\nquery: [q4, q5]\n")
	s, err := load(t, "--config", config)
	if err != nil {
		t.Fatal(err)
	}
	check := func(want string) {
		t.Helper()
		if got := fmt.Sprint(s.memory, " ", s.rejects, " ", s.queries); got != want {
			t.Errorf("settings are %s, want %s", got, want)
		}
	}
	check("3MiB 7 [q4 q5]")
	if v, _ := s.One("memory"); v.Origin != config+":1: memory" {
		t.Errorf("memory comes from %q", v.Origin)
	}
	t.Setenv("ANALYZER_MEMORY", "2MiB")
	t.Setenv("ANALYZER_QUERY", "q2;q3")
	t.Setenv("ANALYZER_CONFIG", config)
	if s, err = load(t); err != nil {
		t.Fatal(err)
	}
	check("2MiB 7 [q2 q3]")
	if s, err = load(t, "--memory", "1MiB", "--query", "q1, q3", "--query", "q5", "--config", config); err != nil {
		t.Fatal(err)
	}
	check("1MiB 7 [q1 q3 q5]")
}

func TestPairsAreMerged(t *testing.T) {
	config := file(t, "param:\n  q4.top: 20\n  q1.countries: Chile,Peru\n  country: Chile\n")
	t.Setenv("ANALYZER_PARAM", "q2.top=3; country=Bolivia")
	s, err := load(t, "--config", config, "--param", "q1.countries=Argentina,Spain", "--param", "since_year=1990", "--param", "x=a=b")
	if err != nil {
		t.Fatal(err)
	}
	want := "map[country:Bolivia q1.countries:Argentina,Spain q2.top:3 q4.top:20 since_year:1990 x:a=b]"
	if fmt.Sprint(s.params) != want {
		t.Errorf("parameters are %v, want %s", s.params, want)
	}
	if s, err = load(t, "--config", config, "--param", "top=5"); err != nil {
		t.Fatal(err)
	}
	want = "map[country:Bolivia q1.countries:Chile,Peru top:5]"
	if fmt.Sprint(s.params) != want {
		t.Errorf("with --param top=5 they are %v, want %s", s.params, want)
	}
}

func TestErrorsSayWhere(t *testing.T) {
	tests := map[string]struct {
		config string
		says   []string
	}{
		"unknown":     {"memory: 1\nmax-reject: 3\n", []string{":2: max-reject", "there is no flag"}},
		"not YAML":    {"memory: [\n", []string{"analyzer.yaml", "yaml"}},
		"not a map":   {"- memory\n", []string{":1: expected flags"}},
		"nested":      {"param: {a: {b: c}}\n", []string{":1: param: expected a value"}},
		"nested list": {"query: [[q1]]\n", []string{":1: query: expected a value"}},
		"twice":       {"memory: 1GB\nmemory: 2GB\n", []string{":2: memory: it stands twice"}},
		"a table":     {"a\x00b", []string{"is not a configuration file"}},
		"itself":      {"config: x\n", []string{":1: config"}},
	}
	for name, tt := range tests {
		_, err := load(t, "--config", file(t, tt.config))
		for _, part := range tt.says {
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s: error %v does not say %q", name, err, part)
			}
		}
	}
	if _, err := load(t, "--config", "/no/such/file"); err == nil || !strings.Contains(err.Error(), "/no/such/file") {
		t.Errorf("missing file: %v", err)
	}
	s, err := load(t, "--config", file(t, "memory: much\n"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Parse(s.Settings, "memory", 0, func(string) (int, error) { return 0, fmt.Errorf("no number") })
	if err == nil || !strings.Contains(err.Error(), ":1: memory: no number") {
		t.Errorf("wrong value: %v", err)
	}
	if n, err := Parse(s.Settings, "max-rejects", 5, func(string) (int, error) { return 0, nil }); n != 5 || err != nil {
		t.Errorf("a flag without a value is %d, %v", n, err)
	}
	if _, err := load(t, "--param", "top"); err == nil || !strings.Contains(err.Error(), `--param: "top" is not name=value`) {
		t.Errorf("not a pair: %v", err)
	}
}

func TestEmptyFile(t *testing.T) {
	s, err := load(t, "--config", file(t, "# nothing\n"))
	if err != nil || s.memory != "" {
		t.Errorf("%q, %v", s.memory, err)
	}
}
