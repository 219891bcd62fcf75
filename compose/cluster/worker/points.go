package worker

import (
	"analyzer/columnar/segment"
	"analyzer/columnar/vfs"
)

// The named points of a part's work at which a test can end the process. They
// stand for the moments between which the state on disk, at the broker and at
// the receivers differ.
const (
	PointReceive        = "receive"         // a message was delivered
	PointDecode         = "decode"          // its envelope was read
	PointDedup          = "dedup"           // it was recorded in memory
	PointAppend         = "append"          // rows are about to be written to the log
	PointAckPartial     = "ack-partial"     // the first of a commit's messages was acknowledged
	PointAcked          = "acked"           // all of them were
	PointCompute        = "compute"         // a stage is about to be computed
	PointFreeze         = "freeze"          // what leaves a stage is about to be committed
	PointEmitPartial    = "emit-partial"    // a frozen block was handed to the broker
	PointPublishPartial = "publish-partial" // as before, and more is to come
	PointPublishAll     = "publish-all"     // all was confirmed, and not yet committed
	PointConfirm        = "confirm"         // one message was confirmed
	PointEndOfTable     = "end-of-table"    // the number of messages was handed over
	PointCleanUp        = "clean-up"        // queues and state are about to go
	PointFsync          = "fsync"           // a file of the state is about to be synced
	PointManifest       = "manifest"        // a manifest is about to be written
	PointRename         = "rename"          // a manifest is about to become the state
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
