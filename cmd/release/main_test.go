package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// programs makes a directory of programs, one of which is this test.
func programs(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"linux-amd64/analyzer", "linux-arm64/analyzer", "darwin-amd64/analyzer", "darwin-arm64/analyzer", "windows-amd64/analyzer.exe"} {
		put(t, filepath.Join(dir, name), text)
	}
	for _, name := range []string{"analyzer.1", "completions/analyzer.bash", "completions/_analyzer", "completions/analyzer.fish"} {
		put(t, filepath.Join(dir, "share", name), []byte(name))
	}
	return dir
}

func put(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, text, 0o755); err != nil {
		t.Fatal(err)
	}
}

// made makes a release and returns its files.
func made(t *testing.T, programs string) map[string]string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "release")
	if err := run([]string{"-version", "v1.2.3", "-commit", "c0ffee", "-date", "1764000000", "-programs", programs, "-output", out, "-url", "https://example.org/1.2.3/"}); err != nil {
		t.Fatal(err)
	}
	files := make(map[string]string)
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(out, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	return files
}

func TestRelease(t *testing.T) {
	t.Chdir("../..")
	from := programs(t)
	files := made(t, from)
	if again := made(t, from); !maps.Equal(files, again) {
		t.Error("the same programs make other bytes")
	}
	for _, name := range []string{
		"analyzer-1.2.3-linux-amd64.tar.gz", "analyzer-1.2.3-darwin-arm64.tar.gz", "analyzer-1.2.3-windows-amd64.zip",
		"analyzer-1.2.3-linux-arm64.cdx.json", "analyzer-1.2.3-image.tar", "analyzer.rb", "SHA256SUMS",
	} {
		if files[name] == "" {
			t.Errorf("there is no %s", name)
		}
	}
	for name, text := range files {
		if name != "SHA256SUMS" && !strings.Contains(files["SHA256SUMS"], digest([]byte(text))+"  "+name+"\n") {
			t.Errorf("SHA256SUMS does not have %s", name)
		}
	}
	if sum := digest([]byte(files["analyzer-1.2.3-darwin-arm64.tar.gz"])); !strings.Contains(files["analyzer.rb"], sum) {
		t.Error("the formula has another checksum")
	}
	archived(t, files["analyzer-1.2.3-linux-amd64.tar.gz"])
	listed(t, files["analyzer-1.2.3-linux-arm64.cdx.json"])
	imaged(t, files["analyzer-1.2.3-image.tar"])
}

// untar returns the files of an archive.
func untar(t *testing.T, r io.Reader) map[string]*tar.Header {
	t.Helper()
	all := make(map[string]*tar.Header)
	for archive := tar.NewReader(r); ; {
		header, err := archive.Next()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		all[header.Name] = header
	}
}

func archived(t *testing.T, text string) {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	files := untar(t, z)
	program := files["analyzer-1.2.3-linux-amd64/analyzer"]
	if program == nil || program.Mode != 0o755 || program.Uid != 0 || program.ModTime.Unix() != 1764000000 {
		t.Errorf("the program in the archive is %+v", program)
	}
	for _, name := range []string{"README.md", "LICENSE", "analyzer.1", "completions/_analyzer"} {
		if files["analyzer-1.2.3-linux-amd64/"+name] == nil {
			t.Errorf("the archive has no %s", name)
		}
	}
}

func listed(t *testing.T, text string) {
	t.Helper()
	var b bill
	if err := json.Unmarshal([]byte(text), &b); err != nil {
		t.Fatal(err)
	}
	if b.Metadata.Component.Version != "1.2.3" || len(b.Metadata.Component.Hashes[0].Content) != 64 || len(b.Components) == 0 {
		t.Errorf("the list of contents is %+v", b.Metadata)
	}
	if !slices.Contains(b.Metadata.Component.Properties, property{"vcs.revision", "c0ffee"}) {
		t.Errorf("it does not say what commit it is of: %+v", b.Metadata.Component.Properties)
	}
}

func imaged(t *testing.T, text string) {
	t.Helper()
	blobs := make(map[string][]byte)
	archive := tar.NewReader(strings.NewReader(text))
	for {
		header, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if _, err := io.Copy(&b, archive); err != nil {
			t.Fatal(err)
		}
		blobs[header.Name] = b.Bytes()
	}
	read := func(name string) (m manifest) {
		t.Helper()
		if err := json.Unmarshal(blobs[name], &m); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return m
	}
	blob := func(d *descriptor) string { return "blobs/sha256/" + strings.TrimPrefix(d.Digest, "sha256:") }
	images := read(blob(read("index.json").Manifests[0])).Manifests
	if len(images) != 2 {
		t.Fatalf("the image has %d platforms", len(images))
	}
	for _, d := range images {
		layer := read(blob(d)).Layers[0]
		z, err := gzip.NewReader(bytes.NewReader(blobs[blob(&layer)]))
		if err != nil {
			t.Fatal(err)
		}
		files := untar(t, z)
		if files["analyzer"] == nil || files["state/"] == nil || files["state/"].Uid != user {
			t.Errorf("%v: the image has %v", d.Platform, files)
		}
	}
}

func TestWrongReleases(t *testing.T) {
	for want, args := range map[string][]string{
		"write it as 1.2.3":  {"-version", "1.2", "-date", "1", "-programs", "x", "-output", "y"},
		"are necessary":      {"-version", "1.2.3"},
		"no such file":       {"-version", "1.2.3", "-date", "1", "-programs", filepath.Join(t.TempDir(), "none"), "-output", t.TempDir()},
		"there are no progr": {"-version", "1.2.3", "-date", "1", "-programs", t.TempDir(), "-output", t.TempDir()},
	} {
		if err := run(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", args, err, want)
		}
	}
}
