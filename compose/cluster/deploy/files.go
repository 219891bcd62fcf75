package deploy

import (
	"fmt"
	"path/filepath"

	"analyzer/columnar/vfs"
	"analyzer/compose/session/fault"
)

// Write writes a Compose file into a directory, together with the topology for the supervisors and
// the secrets that do not exist yet. It returns the name of the Compose file. Users inside containers
// must be able to read the secrets, so only the directory that they are in is private.
func Write(fs, private vfs.FS, dir string, c Cluster) (file string, err error) {
	text, err := Compose(c)
	if err != nil {
		return "", err
	}
	topology, err := Topology(c)
	if err != nil {
		return "", err
	}
	if _, err := writeTopology(fs, private, dir, c, topology); err != nil {
		return "", err
	}
	file = filepath.Join(dir, composeName)
	return file, vfs.Replace(fs, file, text)
}

// writeTopology writes a topology, whose name it returns, and the secrets of a cluster.
func writeTopology(fs, private vfs.FS, dir string, c Cluster, topology []byte) (file string, err error) {
	below := filepath.Join(dir, secretsDir)
	if err := private.MkdirAll(below); err != nil {
		return "", err
	}
	if err := writeSecrets(fs, below, c); err != nil {
		return "", err
	}
	file = filepath.Join(dir, topologyName)
	return file, vfs.Replace(fs, file, topology)
}

// writeSecrets writes the secrets of a cluster, of which some may exist.
func writeSecrets(fs vfs.FS, dir string, c Cluster) error {
	names, err := fs.List(dir)
	if err != nil {
		return err
	}
	before := make(map[string]string)
	for _, name := range names {
		content, err := vfs.ReadFile(fs, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		before[name] = string(content)
	}
	secrets, err := c.Secrets(before)
	if err != nil {
		return fault.Failure("Next: put it back, or remove the directory, and the volumes of the brokers that know it.",
			fmt.Errorf("keep the password in %s: %w", dir, err))
	}
	for name, content := range secrets {
		if content == before[name] {
			continue
		}
		if err := vfs.Replace(fs, filepath.Join(dir, name), []byte(content)); err != nil {
			return err
		}
	}
	return nil
}
