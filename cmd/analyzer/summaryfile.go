package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/compose/engine"
	"analyzer/process"
)

const flagSummary = "summary"

func (p *program) summaryFlag() cli.Flag {
	return settings.Text(&p.summary, flagSummary, "write what the run did as JSON into `FILE`", "")
}

// runSummary is what a run did, for programs.
type runSummary struct {
	*engine.Report
	PeakMemory int64   `json:"peakMemory,omitempty"` // bytes
	Seconds    float64 `json:"seconds"`
}

// trySummary finds out before a run that its summary cannot be written.
func (p *program) trySummary() error {
	if p.summary == "" {
		return nil
	}
	_, err := p.fs.List(filepath.Dir(p.summary))
	return p.settings.Blame(flagSummary, err)
}

// writeSummary writes the file that --summary names, also of a run that failed.
func (p *program) writeSummary(r *engine.Report) error {
	if p.summary == "" || r == nil {
		return nil
	}
	text, err := json.MarshalIndent(runSummary{r, process.PeakMemory(), time.Since(p.began).Seconds()}, "", "  ")
	if err != nil {
		return err
	}
	if err := p.writeFile(p.summary, append(text, '\n')); err != nil {
		return p.settings.Blame(flagSummary, fmt.Errorf("write the summary: %w", err))
	}
	return nil
}

// writeFile makes a file of content, or leaves what it could write.
func (p *program) writeFile(name string, content []byte) error {
	f, err := p.fs.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
