package segment

import (
	"encoding/json"
	"errors"
	"fmt"
	iofs "io/fs"
	"path/filepath"
	"slices"
	"strings"

	"analyzer/columnar"
	"analyzer/columnar/frame"
	"analyzer/columnar/vfs"
)

const (
	manifestName    = "MANIFEST"
	manifestVersion = 1
	segmentPattern  = "segment-*.arrow"
)

// manifest lists the segments that exist in a store's directory. The file has two frames:
// this struct as JSON, with file names in place of paths, and the payload.
type manifest struct {
	Version    int        `json:"version"`
	Generation uint64     `json:"generation"` // number of commits
	Next       int        `json:"next"`       // number of the next segment file
	Segments   []*Segment `json:"segments"`
	payload    []byte
}

// IsManifest reports whether a path is that of a store's manifest, or of a new one that is to
// replace it.
func IsManifest(path string) bool {
	return filepath.Base(path) == manifestName || isNewManifest(path)
}

// isNewManifest reports whether a path is that of a new manifest that has not yet replaced the
// old one. It matches any suffix, since older versions of the program used another one.
func isNewManifest(path string) bool {
	return strings.HasPrefix(filepath.Base(path), manifestName+".")
}

// Exists reports whether a directory holds a store, even one without commits. The errors are
// those of listing the directory.
func Exists(fs vfs.FS, dir string) (bool, error) {
	names, err := fs.List(dir)
	return slices.Contains(names, manifestName), err
}

// Remove deletes a store for good. It removes the manifest first, so that a crash never
// leaves a manifest that lists missing segments. After an error, it is not known what has
// been deleted.
func Remove(fs vfs.FS, dir string) error {
	err := fs.Remove(filepath.Join(dir, manifestName))
	if err == nil {
		err = fs.SyncDir(dir)
	}
	if err != nil && !errors.Is(err, iofs.ErrNotExist) {
		return err
	}
	return errors.Join(fs.RemoveAll(dir), fs.SyncDir(filepath.Dir(dir)))
}

func segmentName(number int) string { return fmt.Sprintf("segment-%08d.arrow", number) }

// encode returns the bytes of the manifest file.
func (m *manifest) encode() ([]byte, error) {
	named := *m
	named.Segments = make([]*Segment, len(m.Segments))
	for i, segment := range m.Segments {
		short := *segment
		short.Path = filepath.Base(segment.Path)
		named.Segments[i] = &short
	}
	index, err := json.Marshal(&named)
	if err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	return frame.Append(frame.Append(nil, index), m.payload), nil
}

// readManifest reads the manifest of the store in dir. The error wraps fs.ErrNotExist if
// there is none, and ErrCorrupt if it is not as it was written.
func readManifest(fs vfs.FS, dir string) (*manifest, error) {
	path := filepath.Join(dir, manifestName)
	data, err := vfs.ReadFile(fs, path)
	if err != nil {
		return nil, fmt.Errorf("read manifest: %w", err)
	}
	m, err := decodeManifest(data, dir)
	if err != nil {
		return nil, &CorruptError{Path: path, Reason: err.Error()}
	}
	return m, nil
}

// decodeManifest decodes the bytes of a manifest file. The segments get paths in dir. It
// allocates in proportion to data.
func decodeManifest(data []byte, dir string) (*manifest, error) {
	index, rest, err := frame.Decode(data, len(data))
	if err != nil {
		return nil, fmt.Errorf("index of segments: %w", err)
	}
	payload, rest, err := frame.Decode(rest, len(rest))
	if err != nil {
		return nil, fmt.Errorf("payload: %w", err)
	}
	if len(rest) > 0 {
		return nil, fmt.Errorf("%d bytes follow the payload", len(rest))
	}
	m := &manifest{payload: payload}
	if err := json.Unmarshal(index, m); err != nil {
		return nil, fmt.Errorf("index of segments: %w", err)
	}
	if m.Version != manifestVersion {
		return nil, fmt.Errorf("version %d, this program reads %d", m.Version, manifestVersion)
	}
	if m.Next < 0 {
		return nil, fmt.Errorf("next segment %d", m.Next)
	}
	for i, segment := range m.Segments {
		if err := segment.validate(m.Next); err != nil {
			return nil, fmt.Errorf("segment %d: %w", i, err)
		}
		segment.Path = filepath.Join(dir, segment.Path)
	}
	return m, nil
}

// validate checks a segment in a manifest, so that no name leads outside the directory and
// no block lies outside its file.
func (s *Segment) validate(next int) error {
	if s == nil {
		return errors.New("missing")
	}
	var number int
	if _, err := fmt.Sscanf(s.Path, "segment-%d.arrow", &number); err != nil || s.Path != segmentName(number) || number < 0 || number >= next {
		return fmt.Errorf("file name %q", s.Path)
	}
	for _, field := range s.Schema {
		if field.Type == columnar.Invalid {
			return fmt.Errorf("column %q has no type", field.Name)
		}
	}
	for i, block := range s.Blocks {
		if block.Partition < 0 || block.Rows < 0 || block.Offset < 0 || block.Length < 0 || block.Length > s.Size-block.Offset {
			return fmt.Errorf("block %d: %+v in a file of %d bytes", i, block, s.Size)
		}
	}
	return nil
}

// write durably replaces the manifest of the store in dir. After an error that does not
// wrap vfs.ErrUnsure, the old manifest is still in place.
func (m *manifest) write(fs vfs.FS, dir string) error {
	data, err := m.encode()
	if err != nil {
		return err
	}
	if err := vfs.Replace(fs, filepath.Join(dir, manifestName), data); err != nil {
		return fmt.Errorf("write manifest: %w", fullDisk(dir, stateAdvice, err))
	}
	return nil
}
