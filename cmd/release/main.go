// Command release makes what users download from the programs that “make release” has built:
// archives, packages of Linux distributions, an image for containers, a formula for Homebrew,
// lists of what each program contains, and checksums. The same programs make the same bytes:
// nothing depends on the time, the machine or who runs it.
//
//	release -version 1.2.3 -date 1764000000 -programs DIR -output DIR
//
// Below -programs there is a directory for each platform, such as linux-amd64, with the
// program, and a directory “share” with the manual page and the completions.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// release is what is made.
type release struct {
	version  string    // such as 1.2.3
	commit   string    // that it was built from; "": unknown
	date     time.Time // of all files
	programs string    // the directory of the programs
	output   string    // the directory of what is made
	url      string    // where it will be, without a slash at the end; "": unknown
	packager []string  // the command that runs nfpm
}

// platform is a system and a processor, as Go calls them.
type platform struct{ system, processor string }

func (p platform) String() string { return p.system + "-" + p.processor }

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	var r release
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	seconds := flags.Int64("date", 0, "the time of the commit, in seconds since 1970")
	flags.StringVar(&r.version, "version", "", "the version, such as 1.2.3")
	flags.StringVar(&r.commit, "commit", "", "the commit, for the lists of what programs contain")
	flags.StringVar(&r.programs, "programs", "", "the directory of the programs")
	flags.StringVar(&r.output, "output", "", "the directory to write into, which is emptied")
	flags.StringVar(&r.url, "url", "", "the address of the directory that the files will be in, for the formula")
	packager := flags.String("packager", "", "the command that runs nfpm; without it there are no .deb and .rpm")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r.version, r.url = strings.TrimPrefix(r.version, "v"), strings.TrimSuffix(r.url, "/")
	r.date, r.packager = time.Unix(*seconds, 0).UTC(), strings.Fields(*packager)
	switch {
	case !regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.]+)?$`).MatchString(r.version):
		return fmt.Errorf("version %q: write it as 1.2.3 or 1.2.3-rc.1", r.version)
	case r.programs == "" || r.output == "" || *seconds == 0:
		return errors.New("-programs, -output and -date are necessary")
	}
	return r.make()
}

// make makes everything. Checksums come last.
func (r *release) make() error {
	platforms, err := r.platforms()
	if err != nil {
		return err
	}
	if err := errors.Join(os.RemoveAll(r.output), os.MkdirAll(r.output, 0o755)); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := r.forPlatform(p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	if err := r.image(platforms); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	if r.url != "" {
		if err := r.formula(platforms); err != nil {
			return fmt.Errorf("formula: %w", err)
		}
	}
	return r.checksums()
}

func (r *release) forPlatform(p platform) error {
	files, err := r.contents(p)
	if err != nil {
		return err
	}
	if err := r.archive(p, files); err != nil {
		return err
	}
	if err := r.materials(p); err != nil {
		return err
	}
	if p.system != "linux" || len(r.packager) == 0 {
		return nil
	}
	return r.packages(p)
}

// platforms lists the platforms that there are programs for.
func (r *release) platforms() (all []platform, err error) {
	entries, err := os.ReadDir(r.programs)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if system, processor, ok := strings.Cut(e.Name(), "-"); ok && e.IsDir() {
			all = append(all, platform{system, processor})
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("there are no programs in %s", r.programs)
	}
	return all, nil
}

// program is the name of the program on a platform.
func (p platform) program() string {
	if p.system == "windows" {
		return "analyzer.exe"
	}
	return "analyzer"
}

// path is the path of the program of a platform.
func (r *release) path(p platform) string {
	return filepath.Join(r.programs, p.String(), p.program())
}

// file is a file of an archive.
type file struct {
	name string // with slashes
	mode os.FileMode
	text []byte

	owner int // the ID of its user and group
}

// documents are the files of the repository that every archive has.
func documents() []string { return []string{"README.md", "CHANGELOG.md", "LICENSE", "NOTICE"} }

// contents returns the files of an archive, in order.
func (r *release) contents(p platform) (files []file, err error) {
	add := func(path, name string, mode os.FileMode) {
		text, readErr := os.ReadFile(path)
		err = errors.Join(err, readErr)
		files = append(files, file{name: name, mode: mode, text: text})
	}
	add(r.path(p), p.program(), 0o755)
	for _, name := range documents() {
		add(name, name, 0o644)
	}
	share := filepath.Join(r.programs, "share")
	for _, name := range []string{"analyzer.1", "completions/analyzer.bash", "completions/_analyzer", "completions/analyzer.fish"} {
		add(filepath.Join(share, filepath.FromSlash(name)), name, 0o644)
	}
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return files, err
}

// name is the name of an archive, without its ending.
func (r *release) name(p platform) string { return "analyzer-" + r.version + "-" + p.String() }

// write writes a file of the release.
func (r *release) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(r.output, name), text, 0o644)
}
