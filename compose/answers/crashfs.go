package answers

import "analyzer/columnar/vfs"

// PointSinkCommit is where a test can end the process: an answer is complete and
// durable, and is about to get its name.
const PointSinkCommit = "sink-commit"

// Points returns all points.
func Points() []string { return []string{PointSinkCommit} }

// CrashFS returns a file system for NewDir that tells crash of each point that is
// passed. It is fs itself if crash is nil.
func CrashFS(fs vfs.FS, crash func(point string)) vfs.FS {
	if crash == nil {
		return fs
	}
	return vfs.Inject(fs, func(op vfs.Op) error {
		if op.Kind == vfs.OpRename {
			crash(PointSinkCommit)
		}
		return nil
	})
}
