package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"analyzer/cmd/analyzer/internal/settings"
	"analyzer/columnar/scan"
	"analyzer/compose/engine"
)

const flagSummary = "summary"

func summaryFlag() cli.Flag {
	return &cli.StringFlag{Name: flagSummary, Usage: "write what the run did as JSON into `FILE`"}
}

// runSummary is what a run did, for programs.
type runSummary struct {
	Tables     []tableSummary `json:"tables"`
	Rows       int64          `json:"rows"`  // read, over all scans
	Bytes      int64          `json:"bytes"` // of input files
	Spilled    int64          `json:"spilledBytes"`
	PeakMemory int64          `json:"peakMemoryBytes,omitempty"`
	Seconds    float64        `json:"seconds"`
}

type tableSummary struct {
	Table    string         `json:"table"`
	File     string         `json:"file"`
	Scans    int            `json:"scans"`
	Rows     int64          `json:"rows"`
	Rejected int64          `json:"rejected"`
	Reasons  []countSummary `json:"rejectedBy,omitempty"`
	Warnings []countSummary `json:"warnings,omitempty"`
}

type countSummary struct {
	What   string `json:"what"`
	Column string `json:"column,omitempty"`
	Count  int64  `json:"count"`
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
	out := runSummary{
		Rows: r.Rows, Bytes: r.Bytes, Spilled: r.Spilled, PeakMemory: peakMemory(), Seconds: time.Since(p.began).Seconds(),
	}
	for _, t := range r.Tables {
		out.Tables = append(out.Tables, tableSummary{
			Table: t.Table, File: t.Stats.File, Scans: t.Scans, Rows: t.Stats.Rows, Rejected: t.Stats.RejectedRows(),
			Reasons: countsOf(t.Stats.Rejected), Warnings: countsOf(t.Stats.Warnings),
		})
	}
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return err
	}
	file, err := p.fs.Create(name)
	if err == nil {
		_, err = file.Write(append(text, '\n'))
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return s.Blame(flagSummary, fmt.Errorf("write the summary: %w", err))
	}
	return nil
}

func countsOf(counts []scan.Count) (out []countSummary) {
	for _, c := range counts {
		out = append(out, countSummary(c))
	}
	return out
}
