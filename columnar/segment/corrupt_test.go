package segment

import (
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"analyzer/columnar"
	"analyzer/columnar/rowtest"
	"analyzer/columnar/vfs"
)

// put makes a file of these bytes, or makes them the content of one that may be
// open.
func put(t testing.TB, fs vfs.FS, path string, data []byte) {
	t.Helper()
	file, err := fs.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.Write(data); err != nil {
		t.Error(err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		t.Fatal(err)
	}
}

func bytesOf(t testing.TB, fs vfs.FS, path string) []byte {
	t.Helper()
	file, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := io.ReadAll(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sample is a segment in memory, with what is in it.
type sample struct {
	fs      *vfs.Mem
	segment *Segment
	batches []columnar.Rows
	data    []byte
}

func newSample(t testing.TB) *sample {
	rng := rand.New(rand.NewPCG(1, 2))
	s := &sample{fs: vfs.NewMem()}
	for range 2 {
		s.batches = append(s.batches, randomBatch(rng, everyType, 10))
	}
	s.segment = write(t, s.fs, "/s.arrow", everyType, s.batches)
	s.data = bytesOf(t, s.fs, "/s.arrow")
	return s
}

// check reads the segment with its file replaced by data: each block is the one
// written or corrupt. It returns how many are corrupt.
func (s *sample) check(t testing.TB, data []byte) int {
	t.Helper()
	put(t, s.fs, s.segment.Path, data)
	r, err := openSegment(s.fs, s.segment)
	if err != nil {
		s.checkCorrupt(t, err, -1)
		return len(s.batches)
	}
	defer r.Close()
	corrupt := 0
	for i, want := range s.batches {
		_, messageErr := r.ReadMessage(i, nil)
		got, _, err := r.ReadBlock(i, nil)
		if (messageErr == nil) != (err == nil) {
			t.Fatalf("block %d: error %v, of its bytes %v", i, err, messageErr)
		}
		if err != nil {
			s.checkCorrupt(t, err, s.segment.Blocks[i].Offset)
			corrupt++
			continue
		}
		rowtest.Same(t, got, want)
	}
	return corrupt
}

func (s *sample) checkCorrupt(t testing.TB, err error, offset int64) {
	t.Helper()
	var corrupt *CorruptError
	if !errors.Is(err, ErrCorrupt) || !errors.As(err, &corrupt) || corrupt.Path != s.segment.Path || !strings.Contains(err.Error(), s.segment.Path) {
		t.Fatalf("error %v does not name the file", err)
	}
	if offset >= 0 && corrupt.Offset != offset {
		t.Fatalf("error %v does not name byte %d", err, offset)
	}
}

func TestEveryFlippedBitOfABlockIsFound(t *testing.T) {
	s := newSample(t)
	blocks := s.segment.Blocks
	step := 1
	if testing.Short() {
		step = 23
	}
	for at := 0; at < len(s.data); at += step {
		data := slices.Clone(s.data)
		data[at] ^= 1 << (at % 8)
		want := 0
		if int64(at) >= blocks[0].Offset && int64(at) < blocks[1].Offset+blocks[1].Length {
			want = 1
		}
		if got := s.check(t, data); got != want {
			t.Fatalf("byte %d: %d blocks are corrupt, want %d", at, got, want)
		}
	}
}

func TestAnotherLengthIsCorrupt(t *testing.T) {
	s := newSample(t)
	for _, data := range [][]byte{nil, s.data[:len(s.data)-1], s.data[:100], append(slices.Clone(s.data), 0)} {
		if got := s.check(t, data); got != len(s.batches) {
			t.Errorf("%d bytes: %d blocks are corrupt", len(data), got)
		}
	}
}

// A file may shrink after it was opened.
func TestAFileThatShrinksIsCorrupt(t *testing.T) {
	s := newSample(t)
	r := open(t, s.fs, s.segment)
	defer r.Close()
	put(t, s.fs, s.segment.Path, s.data[:s.segment.Blocks[1].Offset+10])
	_, _, err := r.ReadBlock(1, nil)
	s.checkCorrupt(t, err, s.segment.Blocks[1].Offset)
}

// An index with wrong entries, such as one of another file, is corrupt, too.
func TestAnIndexThatLiesIsCorrupt(t *testing.T) {
	s := newSample(t)
	for name, lie := range map[string]func(*Block){
		"offset":          func(b *Block) { b.Offset += 8 },
		"negative offset": func(b *Block) { b.Offset = -8 },
		"length":          func(b *Block) { b.Length -= 8 },
		"huge length":     func(b *Block) { b.Length = 1 << 62 },
		"negative length": func(b *Block) { b.Length = -1 },
		"huge offset":     func(b *Block) { b.Offset = 1 << 62 },
		"rows":            func(b *Block) { b.Rows++ },
		"hash":            func(b *Block) { b.Hash++ },
	} {
		segment := *s.segment
		segment.Blocks = slices.Clone(segment.Blocks)
		lie(&segment.Blocks[1])
		r := open(t, s.fs, &segment)
		_, _, err := r.ReadBlock(1, nil)
		if !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}
	segment := *s.segment
	segment.Schema = segment.Schema[1:]
	r := open(t, s.fs, &segment)
	defer r.Close()
	if _, _, err := r.ReadBlock(0, nil); !errors.Is(err, ErrCorrupt) {
		t.Errorf("schema of other columns: %v", err)
	}
}

// Every flipped bit of a manifest is found.
func TestEveryFlippedBitOfAManifestIsFound(t *testing.T) {
	fs := vfs.NewMem()
	s := openStore(t, fs)
	if err := addNumber(s, 1); err != nil {
		t.Fatal(err)
	}
	path := stateDir + "/" + manifestName
	whole := bytesOf(t, fs, path)
	for at := range whole {
		data := slices.Clone(whole)
		data[at] ^= 1 << (at % 8)
		put(t, fs, path, data)
		if _, err := OpenStore(fs, stateDir); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("byte %d: %v", at, err)
		}
		put(t, fs, path, whole[:at])
		if _, err := OpenStore(fs, stateDir); !errors.Is(err, ErrCorrupt) {
			t.Fatalf("cut to %d bytes: %v", at, err)
		}
	}
}
