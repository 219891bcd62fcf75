package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"

	"analyzer/columnar/csv"
	"analyzer/compose/cluster/protocol"
)

// What “make release” says about the program, by flags of the linker.
var releaseVersion, releaseCommit string

func versionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the version, its commit, and what it uses and speaks",
		Action: p.action(func(*cli.Context, []string) error {
			b := thisBuild()
			return p.printf("%s version %s\ncommit:   %s\nbuilt by: %s\nplatform: %s\nkernels:  %s\nprotocol: %d, %d\n",
				name, b.version, cmp.Or(b.commit, "unknown"), runtime.Version(), platform, csv.Kernels(), protocol.Oldest, protocol.Version)
		}, 0),
	}
}

const platform = runtime.GOOS + "/" + runtime.GOARCH

// version is the release or the commit that the program was built from, with the Go release
// and the platform.
func version() string {
	b := thisBuild()
	release := b.version
	if b.commit != "" && release == develVersion {
		release += "-" + b.commit
	}
	return fmt.Sprintf("%s %s %s", release, runtime.Version(), platform)
}

// built says what the program was built from.
type built struct{ version, commit string }

const develVersion = "devel"

// thisBuild says what this program was built from. Whoever has not used “make release” gets
// what Go has noted.
func thisBuild() built {
	b := built{releaseVersion, releaseCommit}
	if info, ok := debug.ReadBuildInfo(); ok {
		noted := builtFrom(info)
		b.version, b.commit = cmp.Or(b.version, noted.version), cmp.Or(b.commit, noted.commit)
	}
	b.version = cmp.Or(b.version, develVersion)
	return b
}

// builtFrom reads what Go has noted about a build.
func builtFrom(info *debug.BuildInfo) (b built) {
	if v := info.Main.Version; v != "(devel)" {
		b.version = v
	}
	modified := ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "-modified"
		}
	}
	if b.commit != "" {
		b.commit += modified
	}
	return b
}
