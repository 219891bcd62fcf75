package vfs

import "fmt"

// Kind is the kind of an operation on a file system or file.
type Kind uint8

// The operations of FS, and those of File.
const (
	OpOpen Kind = iota
	OpCreate
	OpTarget
	OpRename
	OpRemove
	OpRemoveAll
	OpMkdirAll
	OpMkdirTemp
	OpList
	OpSize
	OpSyncDir
	OpRead
	OpReadAt
	OpWrite
	OpSync
	OpFileSize
	OpClose
	kindCount
)

var kindNames = [kindCount]string{
	"open", "create", "target", "rename", "remove", "removeall", "mkdirall", "mkdirtemp", "list", "size",
	"syncdir", "read", "readat", "write", "sync", "filesize", "close",
}

// String returns the operation's name.
func (k Kind) String() string {
	if k < kindCount {
		return kindNames[k]
	}
	return fmt.Sprintf("operation(%d)", uint8(k))
}

// Op is an operation about to be done.
type Op struct {
	Kind  Kind
	Name  string // of the file or directory
	Bytes int    // to be read or written, 0 for other operations
}

// ShortWrite is the error of a write that fails after some of its bytes were written.
type ShortWrite struct {
	Bytes int   // number of bytes written, at most all
	Err   error // the error of the write
}

// Error returns the text of the write's error.
func (e *ShortWrite) Error() string { return e.Err.Error() }

// Unwrap returns the write's error.
func (e *ShortWrite) Unwrap() error { return e.Err }
