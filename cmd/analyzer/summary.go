package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/size"
	"analyzer/compose/answers/staged"
	"analyzer/compose/engine"
	"analyzer/compose/session"
	"analyzer/compose/session/filetext"
	"analyzer/compose/session/inputs"
	"analyzer/process"
)

// summarise reports on the standard error what a run did.
func (p runner) summarise(r *engine.Report, rejectsFile string) {
	p.summariseTables(r)
	if p.quiet {
		return
	}
	rejected := int64(0)
	for _, t := range r.Tables {
		rejected += t.Stats.RejectedRows()
	}
	spilled := "nothing spilled"
	if r.Spilled > 0 {
		spilled = "spilled " + size.Binary(r.Spilled)
	}
	p.tellf("%s, peak memory %s, %s", p.rates(r), size.Binary(process.PeakMemory()), spilled)
	switch {
	case rejectsFile != "":
		p.tellf("Rejected rows are in %s.", rejectsFile)
	case rejected > filetext.Samples:
		p.tellf("To keep all rejected rows: --rejects FILE")
	}
}

// rates describes how much was read and how fast.
func (p runner) rates(r *engine.Report) string {
	took := time.Since(p.began)
	return fmt.Sprintf("%s, %s in %s (%s/s)",
		size.Plural(r.Rows, "row"), size.Decimal(r.Bytes), roundTime(took), size.Decimal(int64(float64(r.Bytes)/took.Seconds())))
}

func (p runner) summariseTables(r *engine.Report) {
	for _, t := range r.Tables {
		if t.Table == session.NothingName { // internal, so users do not know it
			continue
		}
		for i, line := range filetext.Table(t) {
			if i == 0 && t.Stats.Lossy() {
				p.notef("%s", line)
				continue
			}
			p.tellf("%s", line)
		}
	}
}

func roundTime(d time.Duration) time.Duration {
	if d < time.Second {
		return d.Round(time.Millisecond)
	}
	return d.Round(10 * time.Millisecond)
}

const flagSummary = "summary"

func (c *choices) summaryFlag() cli.Flag {
	return settings.Text(&c.summary, flagSummary, "write what the run did as JSON into `FILE`", "")
}

// runSummary is what a run did, for programs.
type runSummary struct {
	*engine.Report
	PeakMemory int64   `json:"peakMemory,omitempty"` // bytes
	Seconds    float64 `json:"seconds"`
}

// notStdout refuses a flag that names a file by "-", since nothing but answers goes to the
// standard output. what says what to name.
func (p *program) notStdout(flag, what string) error {
	if v, ok := p.settings.One(flag); ok && v.Text == inputs.Stdin {
		return v.Wrong("name %s", what)
	}
	return nil
}

// trySummary checks before a run that its summary can be written.
func (p runner) trySummary() error {
	if p.summary == "" {
		return nil
	}
	if err := p.notStdout(flagSummary, "a file: the summary does not go where answers go"); err != nil {
		return err
	}
	out, err := staged.OpenFile(p.fs, p.summary, p.spillDir)
	if err == nil {
		err = out.Discard()
	}
	return p.settings.Blame(flagSummary, err)
}

// writeSummary writes the file that --summary names, even if the run failed.
func (p runner) writeSummary(r *engine.Report) error {
	if p.summary == "" || r == nil {
		return nil
	}
	text, err := json.MarshalIndent(runSummary{r, process.PeakMemory(), time.Since(p.began).Seconds()}, "", "  ")
	if err != nil {
		return err
	}
	if err := p.replace(p.summary, append(text, '\n')); err != nil {
		return p.settings.Blame(flagSummary, fmt.Errorf("write the summary: %w", err))
	}
	return nil
}

// replace writes a file that a user named, all of it or nothing.
func (p *program) replace(name string, content []byte) (err error) {
	out, err := staged.OpenFile(p.fs, name, p.spillDir)
	if err != nil {
		return err
	}
	defer discarding(&err, out)
	f, err := out.Create(filepath.Base(name))
	if err != nil {
		return err
	}
	if _, err := f.Write(content); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return out.Commit()
}

// writeFile writes a file. On an error it leaves what was written.
func (p *program) writeFile(name string, content []byte) error {
	f, err := p.fs.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
