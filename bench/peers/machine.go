package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

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

// dataSize returns text with the size of the CSV files of each data set.
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
