package csv

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"analyzer/columnar/stored"
)

var errBroken = errors.New("the disk is broken")

// failingFile fails read number n, from 0, of either kind.
type failingFile struct {
	*memFile
	mu sync.Mutex
	n  int
}

func (f *failingFile) fails() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n--
	return f.n < 0
}

func (f *failingFile) Read(p []byte) (int, error) {
	if f.fails() {
		return 0, errBroken
	}
	return f.memFile.Read(p)
}

func (f *failingFile) ReadAt(p []byte, off int64) (int, error) {
	if f.fails() {
		return 0, errBroken
	}
	return f.memFile.ReadAt(p, off)
}

// TestReadErrors fails read 0, 1, 2, … until no read fails.
func TestReadErrors(t *testing.T) {
	size := 2 << 20 // which even compressed takes a few reads
	if testing.Short() {
		size = 3 << 19
	}
	data := longText(size)
	gz, zst := compressed(data), zstdCompressed(t, data)
	for name, open := range map[string]func() *memFile{
		"plain": func() *memFile { return newFile(data) }, "pipe": func() *memFile { return newPipe(data) },
		"gzip": func() *memFile { return newFile(gz) }, "zstd": func() *memFile { return newFile(zst) },
	} {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n++ {
				_, err := readWith(&failingFile{memFile: open(), n: n}, Options{BlockSize: 256 << 10}, 3, func(*Block) error { return nil })
				if err == nil {
					if n < 3 {
						t.Fatalf("there were only %d reads", n)
					}
					return
				}
				var input *InputError
				if !errors.Is(err, errBroken) || errors.As(err, &input) {
					t.Fatalf("read %d: %v", n, err)
				}
			}
		})
	}
}

// shrinkingFile is shorter than its Size.
type shrinkingFile struct{ *memFile }

func (f shrinkingFile) Size() (int64, error) { return f.Reader.Size() + 1000, nil }

func TestShrinkingFile(t *testing.T) {
	_, _, err := readAll(shrinkingFile{newFile(longText(5000))}, Options{BlockSize: 1000}, 2)
	if !errors.Is(err, stored.ErrTruncated) {
		t.Fatal(err)
	}
}

// slowFile lets a test cancel while others read.
type slowFile struct {
	*memFile
	read chan struct{}
}

func (f *slowFile) ReadAt(p []byte, off int64) (int, error) {
	select {
	case f.read <- struct{}{}:
	default:
	}
	return f.memFile.ReadAt(p, off)
}

func (f *slowFile) Read(p []byte) (int, error) {
	select {
	case f.read <- struct{}{}:
	default:
	}
	return f.memFile.Read(p[:min(len(p), 1000)])
}

// TestCancel cancels at many points of a reading; all workers must return.
func TestCancel(t *testing.T) {
	data := longText(50000)
	for _, open := range []func([]byte) *memFile{newFile, newPipe} {
		for after := range 60 {
			ctx, cancel := context.WithCancel(context.Background())
			f := &slowFile{memFile: open(data), read: make(chan struct{})}
			r, err := Open(ctx, f, Options{BlockSize: 1000})
			if err != nil {
				t.Fatal(err)
			}
			ended := sync.WaitGroup{}
			errs := [3]error{}
			for i := range errs {
				ended.Go(func() {
					var b Block
					for errs[i] == nil {
						errs[i] = r.Next(ctx, &b)
					}
				})
			}
			all := make(chan struct{})
			go func() { ended.Wait(); close(all) }()
			for range after {
				select {
				case <-f.read:
				case <-all:
				}
			}
			cancel()
			<-all
			for _, err := range errs {
				if !errors.Is(err, io.EOF) && !errors.Is(err, context.Canceled) {
					t.Fatalf("after %d reads: %v", after, err)
				}
			}
			if err := r.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Open(ctx, newFile(data), Options{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// gateFile fails the first read once it is armed, when the gate opens.
type gateFile struct {
	*memFile
	armed atomic.Bool
	gate  chan struct{}
}

func (f *gateFile) ReadAt(p []byte, off int64) (int, error) {
	if off < 1000 && f.armed.Load() {
		<-f.gate
		return 0, errBroken
	}
	return f.memFile.ReadAt(p, off)
}

// TestWaiters fails the read of one block while later ones wait for the edge after it.
func TestWaiters(t *testing.T) {
	f := &gateFile{memFile: newFile(longText(10000)), gate: make(chan struct{})}
	r, err := Open(t.Context(), f, Options{BlockSize: 1000})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	f.armed.Store(true)
	var workers sync.WaitGroup
	errs := [4]error{}
	for i := range errs {
		workers.Go(func() {
			var b Block
			for errs[i] == nil {
				errs[i] = r.Next(t.Context(), &b)
			}
		})
	}
	time.Sleep(10 * time.Millisecond)
	close(f.gate)
	workers.Wait()
	for _, err := range errs {
		if !errors.Is(err, errBroken) {
			t.Fatal(err)
		}
	}
}
