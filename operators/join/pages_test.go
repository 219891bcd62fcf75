package join

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/operators"
	"analyzer/operators/optest"
)

var _ operators.Operator = (*Operator)(nil)

var textSchema = columnar.Schema{{Name: "key", Type: columnar.Int}, {Name: "text", Type: columnar.Text}}

// oneKey returns rows with one key and a text of the given size.
func oneKey(rows, size int) columnar.Rows {
	r := columnar.NewRows(textSchema)
	for range rows {
		r.Cols[0].AppendInt(1)
		r.Cols[1].AppendBytes(bytes.Repeat([]byte{'x'}, size))
	}
	r.Len = rows
	return r
}

func TestPagesAreOfLimitedSize(t *testing.T) {
	cfg := Config{
		Build: textSchema, Probe: textSchema, BuildKeys: []int{0}, ProbeKeys: []int{0},
		BuildOut: []int{1}, ProbeOut: []int{1, 0},
	}
	for name, c := range map[string]struct{ build, probe columnar.Rows }{
		"many matches":      {oneKey(100_000, 3), oneKey(2, 5)},
		"many probe rows":   {oneKey(2, 3), oneKey(100_000, 5)},
		"long build values": {oneKey(40, 100_000), oneKey(20, 10)},
		"long probe values": {oneKey(20, 10), oneKey(40, 100_000)},
		"too long a value":  {oneKey(3, 2*maxPageBytes), oneKey(3, 10)},
		"a long one of all": {concat(oneKey(3000, 1), oneKey(1, 100_000), oneKey(3000, 1)), oneKey(20, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			w := optest.NewWorld(0, nil)
			op, err := New(w.Runtime, cfg)
			if err != nil {
				t.Fatal(err)
			}
			rows, pages := 0, 0
			in := input{cfg: cfg, build: c.build, probe: c.probe}
			_, err = stopped(context.Background(), counted{op, func(page columnar.Rows) {
				rows += page.Len
				pages++
				if page.Len > operators.PageRows {
					t.Errorf("a page of %d rows", page.Len)
				}
				texts := int64(len(page.Cols[0].Data)) + int64(page.Cols[1].Offsets[page.Len]-page.Cols[1].Offsets[0])
				if texts > maxPageBytes && page.Len > 1 {
					t.Errorf("a page of %d rows and %d bytes", page.Len, texts)
				}
			}}, in, 1<<30, nil)
			if err != nil {
				t.Fatal(err)
			}
			if want := c.build.Len * c.probe.Len; rows != want {
				t.Errorf("%d rows, want %d", rows, want)
			}
			if rows > 1000 && pages > rows/10 {
				t.Errorf("%d rows in %d pages", rows, pages)
			}
			w.CheckEmpty(t)
		})
	}
}

func concat(parts ...columnar.Rows) columnar.Rows {
	all := columnar.NewRows(textSchema)
	for _, p := range parts {
		all.AppendRange(p, 0, p.Len)
	}
	return all
}

// counted counts the pages that an operator emits.
type counted struct {
	operators.Operator
	show func(columnar.Rows)
}

func (c counted) Push(ctx context.Context, input int, rows columnar.Rows, emit operators.Emit) error {
	return c.Operator.Push(ctx, input, rows, func(page columnar.Rows) error {
		c.show(page)
		return emit(page)
	})
}

func TestEmptySides(t *testing.T) {
	in := pairInput(rand.New(rand.NewPCG(1, 1)), 20_000, 0, 0)
	none := columnar.NewRows(pairSchema)
	for name, sides := range map[string]input{
		"build": {in.cfg, none, in.probe},
		"probe": {in.cfg, in.build, none},
		"both":  {in.cfg, none, none},
	} {
		w := optest.NewWorld(1, nil)
		op, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		got, err := sides.run(context.Background(), op, 1000)
		if err != nil || len(got) > 0 {
			t.Errorf("no %s side: %d rows, error %v", name, len(got), err)
		}
		if files := w.Scratch.Stats().Files; name != "probe" && files > 0 {
			t.Errorf("no %s side: %d files", name, files)
		}
		w.CheckEmpty(t)
	}
}

func TestBuildHashesAreThoseOfTheKeys(t *testing.T) {
	in := pairInput(rand.New(rand.NewPCG(1, 1)), 10_000, 10, 0)
	in.build.Cols[0].AppendNull()
	in.build.Cols[1].AppendInt(1)
	in.build.Cols[2].AppendBytes(nil)
	in.build.Len++
	last := in.build.Len - 1
	want := columnar.HashRows(nil, []*columnar.Vector{in.build.Cols[0].Slice(0, last), in.build.Cols[1].Slice(0, last)}, last)
	slices.Sort(want)
	for _, limit := range []int64{0, 1} {
		w := optest.NewWorld(limit, nil)
		op, err := New(w.Runtime, in.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if err := op.Push(context.Background(), 0, in.build, nil); err != nil {
			t.Fatal(err)
		}
		if err := op.Finish(context.Background(), 0, nil); err != nil {
			t.Fatal(err)
		}
		var got []uint64
		complete := op.BuildHashes(func(hashes []uint64) bool {
			got = append(got, hashes...)
			return true
		})
		slices.Sort(got)
		if spilled := limit > 0; complete == spilled || !spilled && !slices.Equal(got, want) {
			t.Errorf("budget %d: %d hashes, want %d, complete %t", limit, len(got), len(want), complete)
		}
		calls := 0
		if op.BuildHashes(func([]uint64) bool { calls++; return false }) || calls > 1 {
			t.Errorf("budget %d: went on %d times", limit, calls)
		}
		if err := op.Close(); err != nil {
			t.Fatal(err)
		}
		w.CheckEmpty(t)
	}
}

func TestConfigsThatCannotBe(t *testing.T) {
	base := Config{Build: textSchema, Probe: textSchema}
	for want, change := range map[string]func(*Config){
		"1 keys on the build side": func(c *Config) { c.BuildKeys = []int{0} },
		"is text":                  func(c *Config) { c.BuildKeys, c.ProbeKeys = []int{0}, []int{1} },
		"no column 2":              func(c *Config) { c.BuildKeys, c.ProbeKeys = []int{2}, []int{0} },
		"no column -1":             func(c *Config) { c.ProbeOut = []int{-1} },
		"no column 5":              func(c *Config) { c.BuildOut = []int{5} },
		"no column 3":              func(c *Config) { c.BuildKeys, c.ProbeKeys = []int{0}, []int{3} },
	} {
		cfg := base
		change(&cfg)
		if _, err := New(optest.NewWorld(0, nil).Runtime, cfg); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
