package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// brewed is what Homebrew installs on a system, and brewedFor on one of its processors, all as
// it calls them.
type brewed struct {
	Name     string
	Archives []brewedFor
}

type brewedFor struct{ Processor, File, Sum string }

// formula writes the formula by which Homebrew installs the archives.
func (r *release) formula(platforms []platform) error {
	processors := map[string]string{"amd64": "intel", "arm64": "arm"}
	systems := []brewed{{Name: "macos"}, {Name: "linux"}}
	for _, p := range platforms {
		at := slices.Index([]string{"darwin", "linux"}, p.system)
		if at < 0 {
			continue
		}
		name := r.name(p) + ".tar.gz"
		text, err := os.ReadFile(filepath.Join(r.output, name))
		if err != nil {
			return err
		}
		systems[at].Archives = append(systems[at].Archives, brewedFor{processors[p.processor], name, digest(text)})
	}
	systems = slices.DeleteFunc(systems, func(b brewed) bool { return b.Archives == nil })
	text, err := filled(formulaTemplate, map[string]any{"Version": r.version, "URL": r.url, "Systems": systems})
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
