package main

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

// bill is a list of what a program contains, in the format CycloneDX 1.6.
type bill struct {
	Format     string      `json:"bomFormat"`
	Spec       string      `json:"specVersion"`
	Version    int         `json:"version"`
	Metadata   metadata    `json:"metadata"`
	Components []component `json:"components"`
}

type metadata struct {
	Timestamp time.Time `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// materials writes the list of what a program contains and how it was built, which the
// program itself says: its modules with their checksums, the release of Go, the settings.
func (r *release) materials(p platform) error {
	info, err := buildinfo.ReadFile(r.path(p))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(r.path(p))
	if err != nil {
		return err
	}
	program := component{
		Type: "application", Ref: "analyzer", Name: "analyzer", Version: r.version,
		Hashes:     []hash{{"SHA-256", digest(text)}},
		Properties: []property{{"go:version", info.GoVersion}},
	}
	if r.commit != "" { // of which Go notes nothing, so that the bytes do not depend on the clone
		program.Properties = append(program.Properties, property{"vcs.revision", r.commit})
	}
	for _, s := range info.Settings {
		program.Properties = append(program.Properties, property{"go:build:" + s.Key, s.Value})
	}
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{r.date, program}}
	b.Components = append(b.Components, component{Type: "library", Ref: "std", Name: "std", Version: info.GoVersion})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		b.Components = append(b.Components, component{
			Type: "library", Ref: purl, Name: m.Path, Version: m.Version, PURL: purl, Properties: []property{{"go:sum", m.Sum}},
		})
	}
	out, err := json.MarshalIndent(b, "", "  ")
	if err != nil {
		return err
	}
	return r.write(r.name(p)+".cdx.json", append(out, '\n'))
}

// checksums writes the checksums of all files of the release.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.output)
	if err != nil {
		return err
	}
	var files []file
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(r.output, e.Name()))
		if err != nil {
			return err
		}
		files = append(files, file{name: e.Name(), text: text})
	}
	return r.write("SHA256SUMS", sums(files))
}
