package vfs

import (
	"errors"
	"fmt"
	"syscall"
)

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

// ErrInjected is the error of an operation that a test makes fail.
var ErrInjected = errors.New("injected fault")

// ShortWrite is the error of a write that fails after some of its bytes were written.
type ShortWrite struct {
	Bytes int   // number of bytes written, at most all
	Err   error // the error of the write
}

// Error returns the text of the write's error.
func (e *ShortWrite) Error() string { return e.Err.Error() }

// Unwrap returns the write's error.
func (e *ShortWrite) Unwrap() error { return e.Err }

// FailNth makes one operation fail with ErrInjected: number n, from 0, among those of the
// given kinds, or among all if no kind is given.
func FailNth(n int64, kinds ...Kind) func(Op) error {
	return fail(kinds, func(seen int64) bool { return seen == n })
}

// FailFrom is FailNth, but all later operations of the kinds fail, too. To the disk this
// looks as if the process had died.
func FailFrom(n int64, kinds ...Kind) func(Op) error {
	return fail(kinds, func(seen int64) bool { return seen >= n })
}

func fail(kinds []Kind, chosen func(seen int64) bool) func(Op) error {
	var wanted [^Kind(0)]bool
	for _, kind := range kinds {
		wanted[kind] = true
	}
	var seen int64
	return func(op Op) error {
		if len(kinds) > 0 && !wanted[op.Kind] {
			return nil
		}
		seen++
		if chosen(seen - 1) {
			return ErrInjected
		}
		return nil
	}
}

// FillDisk makes writes fail with ENOSPC once room bytes are written. The write that reaches
// the limit is short. Deleting files does not free space.
func FillDisk(room int) func(Op) error {
	return func(op Op) error {
		if op.Kind != OpWrite {
			return nil
		}
		if op.Bytes <= room {
			room -= op.Bytes
			return nil
		}
		short := &ShortWrite{Bytes: room, Err: syscall.ENOSPC}
		room = 0
		return short
	}
}
