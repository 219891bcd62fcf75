package worker

import (
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// CrashFS returns a file system that tells crash of the points that are operations
// on the disk, before they are done. It is fs itself if crash is nil.
func CrashFS(fs vfs.FS, crash func(point string)) vfs.FS {
	if crash == nil {
		return fs
	}
	return vfs.Inject(fs, func(op vfs.Op) error {
		if point := diskPoint(op); point != "" {
			crash(point)
		}
		return nil
	})
}

// diskPoint returns the point that an operation is, "" for none.
func diskPoint(op vfs.Op) string {
	manifest := segment.IsManifest(op.Name)
	switch {
	case op.Kind == vfs.OpSync:
		return PointFsync
	case op.Kind == vfs.OpCreate && manifest:
		return PointManifest
	case op.Kind == vfs.OpRename && manifest:
		return PointRename
	case op.Kind == vfs.OpSyncDir:
		return PointDirectorySync
	}
	return ""
}
