package stored

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"analyzer/columnar/vfs"
)

// codec is how a file is compressed.
type codec uint8

const (
	plain codec = iota
	gzipped
	zstandard
)

func (c codec) String() string {
	return [...]string{"plain", "gzip", "zstd"}[c]
}

// extensions returns the file name extensions of compressed files.
func extensions() []string { return []string{".gz", ".zst"} }

// CutExtension returns the name of a file without the extension of a compressed file, and
// whether it had one. The name is only a hint: the first bytes of a file decide.
func CutExtension(name string) (plain string, compressed bool) {
	for _, extension := range extensions() {
		if plain, compressed = strings.CutSuffix(name, extension); compressed {
			return plain, true
		}
	}
	return name, false
}

// Among looks in names for a file under one of its usual names, plain or compressed, and
// returns the first match in the order of usual.
func Among(names, usual []string) (name string, ok bool) {
	for _, file := range usual {
		for _, extension := range append([]string{""}, extensions()...) {
			if slices.Contains(names, file+extension) {
				return file + extension, true
			}
		}
	}
	return "", false
}

// MagicBytes is how many bytes of a file are needed to tell whether it is plain.
const MagicBytes = 8

// Plain reports whether a file is neither compressed, nor of another format, nor UTF-16.
// head is its first MagicBytes, or fewer if the file is shorter.
func Plain(head []byte) bool {
	c, err := detect("", head)
	return err == nil && c == plain && utf16Of(head) == ""
}

// detect finds the codec from a file's first bytes. It returns an error for formats
// that this package does not read, such as archives.
func detect(name string, head []byte) (codec, error) {
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		return gzipped, nil
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return zstandard, nil
	}
	const unpack = "give the CSV file itself, plain or as .gz or .zst"
	for _, a := range []struct{ magic, name, hint string }{
		{"PK\x03\x04", "a zip archive", unpack},
		{"\xfd7zXZ\x00", "compressed with xz", unpack},
		{"BZh", "compressed with bzip2", unpack},
		{"7z\xbc\xaf\x27\x1c", "a 7z archive", unpack},
		{"PAR1", "a Parquet file, which is read from its end", "name the file instead of a pipe"},
	} {
		if bytes.HasPrefix(head, []byte(a.magic)) {
			return plain, &InputError{
				File: name, Reason: ReasonUnknown, Detail: "not a CSV file: it is " + a.name,
				Hint: a.hint,
			}
		}
	}
	return plain, nil
}

// maxWindow is how far back zstd data may refer; decompression needs as much memory.
// The zstd program has the same limit.
const maxWindow = 128 << 20

// readBufferBytes is the size of one read from a file that is read in order.
const readBufferBytes = 256 << 10

// Open detects from the beginning of f how it is compressed and prepares to read it. It returns a
// *InputError if the file is of a kind that holds no text. The caller keeps f and closes it after
// the Source.
func Open(f vfs.File, opts Options) (Source, error) {
	if !f.Seekable() {
		return openStream(f, f, opts)
	}
	size, err := f.Size()
	if err != nil {
		return nil, fmt.Errorf("find the size of %s: %w", f.Name(), err)
	}
	s := &plainSource{file: f, size: size, blockSize: int64(opts.BlockSize), blocks: opts.Blocks}
	head := make([]byte, MagicBytes)
	n, err := s.Peek(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if _, err := detect(f.Name(), head[:n]); err != nil {
		return nil, err
	}
	if opts.Encoding == "" && opts.Rewrite == nil && Plain(head[:n]) {
		return s, nil
	}
	return openStream(f, io.NewSectionReader(f, 0, size), opts)
}

func openStream(f vfs.File, r io.Reader, opts Options) (Source, error) {
	under := &countingReader{reader: r}
	stored := bufio.NewReaderSize(under, readBufferBytes)
	head, err := stored.Peek(MagicBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	c, err := detect(f.Name(), head)
	if err != nil {
		return nil, err
	}
	s := &streamSource{
		under: under, codec: c, name: f.Name(), blockSize: int64(opts.BlockSize), blocks: opts.Blocks,
		token: make(chan struct{}, 1), reader: stored,
	}
	if err := s.decompress(); err != nil {
		return nil, s.wrap(err)
	}
	return s, s.decode(&opts)
}

// decompress makes the source read decompressed bytes.
func (s *streamSource) decompress() error {
	switch s.codec {
	case gzipped:
		z, err := gzip.NewReader(s.reader)
		if err != nil {
			return err
		}
		s.reader = z
	case zstandard:
		z, err := zstd.NewReader(s.reader, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return err
		}
		s.reader, s.closer = z, z.Close
	}
	return nil
}

// decode makes the source read text in UTF-8.
func (s *streamSource) decode(o *Options) error {
	text := bufio.NewReader(s.reader)
	head, err := text.Peek(MagicBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s.wrap(err)
	}
	if s.encoding, _ = EncodingNamed(o.Encoding); s.encoding == "" {
		s.encoding = utf16Of(head)
	}
	s.reader = decoded(s.encoding, text)
	if o.Rewrite != nil {
		s.reader = o.Rewrite(s.reader)
	}
	return nil
}
