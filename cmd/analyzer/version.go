package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/urfave/cli/v2"
)

func versionCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "version", Usage: "print the program's version",
		Action: p.action(func(*cli.Context, []string) error { return p.printf("%s version %s\n", name, version()) }, 0),
	}
}

// version is the module's version or the commit the program was built from,
// with the Go release and the platform.
func version() string {
	release := "devel"
	if info, ok := debug.ReadBuildInfo(); ok {
		release = releaseOf(info)
	}
	return fmt.Sprintf("%s %s %s/%s", release, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func releaseOf(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	revision, modified := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = "-" + s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			modified = "-modified"
		}
	}
	return "devel" + revision + modified
}
