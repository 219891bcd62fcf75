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

func summaryFlag() cli.Flag {
	return &cli.StringFlag{Name: flagSummary, Usage: "write what the run did as JSON into `FILE`"}
}

// runSummary is what a run did, for programs.
type runSummary struct {
	*engine.Report
	PeakMemory int64   `json:"peakMemory,omitempty"` // bytes
	Seconds    float64 `json:"seconds"`
}

// trySummary finds out before a run that its summary cannot be written.
func (p *program) trySummary(s *settings.Settings) error {
	name := s.Text(flagSummary)
	if name == "" {
		return nil
	}
	_, err := p.fs.List(filepath.Dir(name))
	return s.Blame(flagSummary, err)
}

// writeSummary writes the file that --summary names, also of a run that failed.
func (p *program) writeSummary(r *engine.Report, s *settings.Settings) (err error) {
	name := s.Text(flagSummary)
	if name == "" || r == nil {
		return nil
	}
	text, err := json.MarshalIndent(runSummary{r, process.PeakMemory(), time.Since(p.began).Seconds()}, "", "  ")
	if err != nil {
		return err
	}
	if err := p.writeFile(name, append(text, '\n')); err != nil {
		return s.Blame(flagSummary, fmt.Errorf("write the summary: %w", err))
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
