package worker

import (
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// The failpoints in a part's work. Between any two of them the state on disk, at the
// broker or at the receivers changes.
const (
	PointReceive        = "receive"         // a message was delivered
	PointDecode         = "decode"          // its envelope was read
	PointDedup          = "dedup"           // it was recorded in memory
	PointAppend         = "append"          // rows are about to be written to the log
	PointAckPartial     = "ack-partial"     // the first of a commit's messages was acknowledged
	PointAcked          = "acked"           // all of them were
	PointCompute        = "compute"         // a stage is about to be computed
	PointFreeze         = "freeze"          // the output of a stage is about to be committed
	PointEmitPartial    = "emit-partial"    // a frozen block was handed to the broker
	PointPublishPartial = "publish-partial" // likewise, with more to come
	PointPublishAll     = "publish-all"     // all messages were confirmed, which is not yet committed
	PointConfirm        = "confirm"         // one message was confirmed
	PointEndOfTable     = "end-of-table"    // the number of messages was handed over
	PointCleanUp        = "clean-up"        // queues and state are about to be deleted
	PointFsync          = "fsync"           // a file of the state is about to be synced
	PointManifest       = "manifest"        // a manifest is about to be written
	PointRename         = "rename"          // a manifest is about to become valid
	PointDirectorySync  = "directory-sync"  // a directory is about to be synced
)

// Points returns all points.
func Points() []string {
	return []string{
		PointReceive, PointDecode, PointDedup, PointAppend, PointAckPartial, PointAcked, PointCompute,
		PointFreeze, PointEmitPartial, PointPublishPartial, PointPublishAll, PointConfirm, PointEndOfTable,
		PointCleanUp, PointFsync, PointManifest, PointRename, PointDirectorySync,
	}
}

// CrashFS returns a file system that calls crash before each disk operation that is a
// failpoint. It returns fs itself if crash is nil.
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

// diskPoint returns the failpoint of an operation, "" if it has none.
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
