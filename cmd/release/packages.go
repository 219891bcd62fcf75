package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"text/template"
)

//go:embed nfpm.yaml.tmpl
var packageTemplate string

//go:embed formula.rb.tmpl
var formulaTemplate string

// packages makes the packages of Linux distributions by nfpm.
func (r *release) packages(p platform) error {
	dir, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	manual, err := os.ReadFile(filepath.Join(r.programs, "share", "analyzer.1"))
	if err != nil {
		return err
	}
	packed, err := gzipped(manual)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "analyzer.1.gz"), packed, 0o644); err != nil {
		return err
	}
	config, err := filled(packageTemplate, map[string]string{
		"Version": r.version, "Processor": p.processor, "Program": r.path(p), "Share": filepath.Join(r.programs, "share"),
		"Scratch": dir, "Date": r.date.Format("2006-01-02T15:04:05Z"),
	})
	if err != nil {
		return err
	}
	settings := filepath.Join(dir, "nfpm.yaml")
	if err := os.WriteFile(settings, config, 0o644); err != nil {
		return err
	}
	for _, kind := range []string{"deb", "rpm"} {
		args := append(r.packager[1:len(r.packager):len(r.packager)], "package", "--config", settings, "--packager", kind, "--target", r.output)
		cmd := exec.Command(r.packager[0], args...)
		cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.date.Unix(), 10))
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf(".%s: %w: %s", kind, err, out)
		}
	}
	return nil
}

// formula writes the formula by which Homebrew installs the archives.
func (r *release) formula(platforms []platform) error {
	archives := make(map[string]string) // their checksums, by platform
	for _, p := range platforms {
		if p.system != "darwin" && p.system != "linux" {
			continue
		}
		text, err := os.ReadFile(filepath.Join(r.output, r.name(p)+".tar.gz"))
		if err != nil {
			return err
		}
		archives[strings.ReplaceAll(p.String(), "-", "_")] = digest(text)
	}
	text, err := filled(formulaTemplate, map[string]any{"Version": r.version, "URL": r.url, "Sums": archives})
	if err != nil {
		return err
	}
	return r.write("analyzer.rb", text)
}

// filled fills in a template, and fails if something is missing.
func filled(text string, values any) ([]byte, error) {
	t, err := template.New("").Option("missingkey=error").Parse(text)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	err = t.Execute(&b, values)
	return []byte(b.String()), err
}
