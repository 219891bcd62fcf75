package remote_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"

	"analyzer/columnar/vfs"
	"analyzer/columnar/vfs/remote/remotetest"
)

const (
	uploaded = "s3://bucket/dir/out.csv"
	kept     = "bucket/dir/out.csv"
)

// put writes a file as those do that stage files: complete or not at all.
func put(files vfs.FS, name string, data []byte) (err error) {
	staging, err := files.MkdirTemp(vfs.Dir(name), ".analyzer-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.RemoveAll(staging)) }()
	f, err := files.Create(vfs.Join(staging, vfs.Base(name)))
	if err != nil {
		return err
	}
	for rest := data; len(rest) > 0; {
		n := min(len(rest), 300_000)
		if _, err := f.Write(rest[:n]); err != nil {
			return errors.Join(err, f.Close())
		}
		rest = rest[n:]
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return errors.Join(files.Rename(vfs.Join(staging, vfs.Base(name)), name), files.SyncDir(vfs.Dir(name)))
}

func TestUpload(t *testing.T) {
	s := &remotetest.Server{Files: map[string][]byte{kept: []byte("old")}}
	url, files := s.Start(t, vfs.NewMem())
	for _, size := range []int{0, 1, 5 << 20, 5<<20 + 1, 23 << 20} {
		data := noise(size)
		if err := put(files.Snapshot(0), uploaded, data); err != nil {
			t.Fatal(err)
		}
		if got, ok := s.File(kept); !ok || !bytes.Equal(got, data) || s.Uploads() != 0 {
			t.Errorf("%d bytes are %d, %d uploads are left", size, len(got), s.Uploads())
		}
		if got, err := vfs.ReadFile(files.Snapshot(0), uploaded); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%d bytes are read as %d, error %v", size, len(got), err)
		}
	}
	for name, want := range map[string]error{url + "/bucket/x": fs.ErrPermission} {
		if err := put(files, name, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := files.Create(uploaded); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a file of a store was created where others see it: %v", err)
	}
}

// TestUploadFails fails each request of an upload, for a while and for good: what is there is the old
// file or the new one, and an error says which.
func TestUploadFails(t *testing.T) {
	data := noise(5<<20 + 7) // two parts
	const requests = 4
	for _, fault := range []string{"503", "lost", "hang", "403", "404", "400"} {
		for first := int64(1); first <= requests; first++ {
			for _, forever := range []bool{false, true} {
				if forever && fault != "503" && fault != "lost" {
					continue
				}
				s := &remotetest.Server{Files: map[string][]byte{kept: []byte("old")}}
				_, files := s.Start(t, vfs.NewMem())
				s.Fault = func(n int64) string {
					if n == first || forever && n > first {
						return fault
					}
					return ""
				}
				ctx, stop := context.WithCancel(t.Context())
				if fault == "hang" {
					s.Fault = func(n int64) string {
						if n == first {
							stop()
							return fault
						}
						return ""
					}
				}
				err := put(files.With(ctx), uploaded, data)
				stop()
				what := fmt.Sprintf("%s at request %d, forever: %t", fault, first, forever)
				passes := !forever && (fault == "503" || fault == "lost")
				got, _ := s.File(kept)
				switch isNew := bytes.Equal(got, data); {
				case passes && (err != nil || !isNew):
					t.Errorf("%s: %v", what, err)
				case err == nil && !isNew:
					t.Errorf("%s: no error", what)
				case err != nil && isNew && !errors.Is(err, vfs.ErrUnsure):
					t.Errorf("%s: the file is there in spite of %v", what, err)
				case err != nil && !isNew && string(got) != "old":
					t.Errorf("%s: %d bytes are there", what, len(got))
				case !forever && !errors.Is(err, vfs.ErrUnsure) && s.Uploads() > 0 && !(fault == "lost" && first == 1):
					t.Errorf("%s: %d uploads are left", what, s.Uploads())
				}
			}
		}
	}
}

// TestUploadIsAbandoned ends an upload as a kill does, after each step: nobody sees anything of it.
func TestUploadIsAbandoned(t *testing.T) {
	s := &remotetest.Server{Files: map[string][]byte{}}
	_, files := s.Start(t, vfs.NewMem())
	staging, err := files.MkdirTemp("s3://bucket/dir", ".analyzer-*")
	if err != nil {
		t.Fatal(err)
	}
	f, err := files.Create(staging + "/out.csv")
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func() error{
		func() error { _, err := f.Write(noise(11 << 20)); return err }, f.Sync, f.Close,
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
		found := 0
		if err := files.ListFrom("s3://bucket/", func(string) bool { found++; return true }); err != nil || found > 0 {
			t.Errorf("%d files are there, error %v", found, err)
		}
		if _, err := files.Snapshot(0).Open(uploaded); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("it is there: %v", err)
		}
	}
	if err := files.RemoveAll(staging); err != nil || s.Uploads() > 0 {
		t.Errorf("%d uploads are left, error %v", s.Uploads(), err)
	}
}
