package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strconv"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/progress"
	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/size"
	"analyzer/compose/answers/staged"
	"analyzer/compose/session/fault"
	"analyzer/datasets"
	"analyzer/datasets/generate"
)

func generateCommand(p *program) *cli.Command {
	o := generate.Options{Scale: 0.01, Seed: 1}
	return &cli.Command{
		Name: "generate", Usage: "make a synthetic data set", ArgsUsage: "DATASET --output DIR",
		Description: "The files resemble the real ones, faults included. The same scale and seed give the same bytes\non any machine.",
		Flags: []cli.Flag{
			settings.Into(&o.Scale, parseScale, "scale", "make `X` times as many rows as the real files have", "0.01"),
			settings.Text(&p.output, flagOutput, "write the files into `DIR`, which must not hold them yet", "", "out"),
			settings.Into(&o.Seed, parseSeed, "seed", "seed the data with `N`", "1"),
			p.quietFlag(), settings.ConfigFlag(),
		},
		Action: p.action(func(c *cli.Context, arguments []string) error { return maker{p}.generate(c, arguments[0], o) }, 1, "DATASET"),
	}
}

// maker is what the commands share that make data sets.
type maker struct{ *program }

func (p maker) generate(c *cli.Context, dataset string, o generate.Options) (err error) {
	d, err := findDataset(dataset, nil)
	if err != nil {
		return err
	}
	dir := p.output
	if dir == "" {
		return fault.WrongUsage("Next: add --output DIR.", "there is no directory to write into")
	}
	if err := p.refuseToReplace(d, dir); err != nil {
		return err
	}
	files, err := staged.Open(p.fs, dir, "")
	if err != nil {
		return err
	}
	defer discarding(&err, files)
	began, written := time.Now(), int64(0)
	var table string
	o.Create = func(name string) (io.WriteCloser, error) {
		table = name
		return files.Create(name)
	}
	o.Progress = func(bytes, all int64) {
		written = bytes
		p.progress.Show(progress.State{What: table, Bytes: bytes, Total: all})
	}
	if err := d.Generate(c.Context, o); err != nil {
		return err
	}
	if err := files.Commit(); err != nil {
		return err
	}
	p.tellf("Wrote %s into %s in %s.\nNext: analyzer run %s %s", size.Decimal(written), dir, roundTime(time.Since(began)), d.Name, dir)
	return nil
}

// refuseToReplace keeps generate from overwriting files, which may be the real ones.
func (p maker) refuseToReplace(d *datasets.Dataset, dir string) error {
	for _, t := range d.Tables {
		file := filepath.Join(dir, t.Files[0])
		if _, err := p.fs.Size(file); !errors.Is(err, fs.ErrNotExist) {
			return fault.WrongUsage("Next: name another directory, or remove the files.", "%s is there already", file)
		}
	}
	return nil
}

func parseScale(text string) (float64, error) {
	scale, err := strconv.ParseFloat(text, 64)
	if err != nil || !(scale > 0) || scale > 1000 {
		return 0, fmt.Errorf("%q is not a scale: expected a number over 0, up to 1000", text)
	}
	return scale, nil
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a seed: expected a whole number from 0", text)
	}
	return seed, nil
}
