package args

import (
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
	"pgregory.net/rapid"
)

func app() *cli.App {
	return &cli.App{
		Name: "analyzer",
		Commands: []*cli.Command{
			{
				Name: "run",
				Flags: []cli.Flag{
					&cli.StringFlag{Name: "format", Aliases: []string{"f"}},
					&cli.StringSliceFlag{Name: "table"},
					&cli.BoolFlag{Name: "quiet"},
				},
			},
			{Name: "version"},
		},
	}
}

func TestReorder(t *testing.T) {
	tests := map[string]string{
		"":                                  "",
		"run":                               "run",
		"run movies DIR":                    "run movies DIR",
		"run movies DIR --format json":      "run --format json movies DIR",
		"run movies --format=json DIR":      "run --format=json movies DIR",
		"run movies -f json DIR --quiet":    "run -f json --quiet movies DIR",
		"run --quiet movies DIR":            "run --quiet movies DIR",
		"run movies --table ratings=- -":    "run --table ratings=- movies -",
		"run movies --table - DIR":          "run --table - movies DIR",
		"run movies -- --format":            "run -- movies --format",
		"run --quiet movies -- -x --quiet":  "run --quiet -- movies -x --quiet",
		"run movies --unknown json":         "run --unknown movies json",
		"run movies --format":               "run --format",
		"run --quiet movies --format=":      "run --quiet --format= movies",
		"run movies --help --quiet":         "run --help",
		"run movies -- --help":              "run -- movies --help",
		"run --table --help":                "run --table --help",
		"--help run movies --format json":   "--help run --format json movies",
		"walk movies --format json":         "walk movies --format json",
		"version --format x":                "version --format x",
		"run movies --format json --quiet=": "run --format json --quiet= movies",
	}
	for line, want := range tests {
		got := Reorder(app(), append([]string{"analyzer"}, strings.Fields(line)...))
		if strings.Join(got[1:], " ") != want {
			t.Errorf("%q becomes %q, not %q", line, got[1:], want)
		}
	}
}

// TestReorderStatements holds that a statement which begins with a comment is no flag.
func TestReorderStatements(t *testing.T) {
	for _, statement := range []string{"-- why\nSELECT 1", "-- SELECT 1", "--why\nSELECT 1 = 1", "--\nSELECT 1", "--\tx = 1\r\nSELECT 1"} {
		for _, line := range [][]string{{statement, "--format", "json"}, {"--format", "json", statement}, {"--format", "json", "--", statement}} {
			got := Reorder(app(), append([]string{"analyzer", "run"}, line...))
			if want := []string{"analyzer", "run", "--format", "json", "--", statement}; !slices.Equal(got, want) {
				t.Errorf("%q becomes %q", line, got)
			}
		}
	}
	for _, flag := range []string{"--table=a\nb", "--why = 1", "--why SELECT 1"} {
		if got := Reorder(app(), []string{"analyzer", "run", "DIR", flag}); got[2] != flag {
			t.Errorf("the flag %q is taken for an argument: %q", flag, got)
		}
	}
}

// TestReorderKeepsEveryArgument holds that nothing is lost, and that the
// arguments which are not flags keep their order.
func TestReorderKeepsEveryArgument(t *testing.T) {
	words := []string{"movies", "DIR", "--format", "json", "--quiet", "--table=x", "-", "--", "-f", "--unknown"}
	rapid.Check(t, func(t *rapid.T) {
		args := append([]string{"analyzer", "run"}, rapid.SliceOf(rapid.SampledFrom(words)).Draw(t, "args")...)
		if last := args[len(args)-1]; last == "--format" || last == "-f" {
			args = append(args, "json")
		}
		before := slices.Clone(args)
		got := Reorder(app(), args)
		if !slices.Equal(args, before) {
			t.Fatalf("the arguments were changed in place: %q", args)
		}
		want := slices.Clone(args)
		sorted := slices.Clone(got)
		slices.Sort(want)
		slices.Sort(sorted)
		if !slices.Equal(sorted, want) {
			t.Fatalf("%q becomes %q", args, got)
		}
		if again := Reorder(app(), got); !slices.Equal(again, got) && !slices.Contains(args, "--") {
			t.Fatalf("%q becomes %q, and that %q", args, got, again)
		}
	})
}
