package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// machine describes where the numbers were taken.
func machine() string {
	return fmt.Sprintf("%s, %d cores, %s", processor(), runtime.NumCPU(), memory())
}

func processor() string {
	return lineOf("/proc/cpuinfo", "model name", runtime.GOARCH)
}

func memory() string {
	var kib int64
	if _, err := fmt.Sscanf(lineOf("/proc/meminfo", "MemTotal", ""), "%d kB", &kib); err != nil {
		return "memory unknown"
	}
	return fmt.Sprintf("%d GiB", (kib+1<<19)>>20)
}

// lineOf returns what follows "key:" on the first such line of a file, or otherwise.
func lineOf(path, key, otherwise string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return otherwise
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == key {
			return strings.TrimSpace(value)
		}
	}
	return otherwise
}

// packageVersion reads the version of an installed package.
func packageVersion(peerDir, name string) string {
	text, err := os.ReadFile(filepath.Join(peerDir, "node_modules", name, "package.json"))
	if err != nil {
		return "of unknown version"
	}
	var manifest struct{ Version string }
	if err := json.Unmarshal(text, &manifest); err != nil || manifest.Version == "" {
		return "of unknown version"
	}
	version, _, _ := strings.Cut(manifest.Version, "-")
	return version
}

// dataSize sums up the CSV files, by data set.
func dataSize(root string) string {
	var parts []string
	for _, d := range datasets() {
		var bytes int64
		files, err := filepath.Glob(filepath.Join(root, d.name, "*.csv"))
		if err != nil {
			continue
		}
		for _, f := range files {
			if info, err := os.Stat(f); err == nil {
				bytes += info.Size()
			}
		}
		parts = append(parts, fmt.Sprintf("%s %.0f MB", d.name, float64(bytes)/1e6))
	}
	return strings.Join(parts, ", ")
}
