package stored

import (
	"bufio"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"

	"analyzer/columnar/vfs"
)

// codec is a way in which files are compressed.
type codec struct {
	name      string // for people
	extension string
	is        func(head []byte) bool
	// open returns a reader of what is compressed, and closes it.
	open func(r io.Reader) (plain io.Reader, closer func(), err error)
}

// codecs are the ways that are read, apart from zip archives. Two of them are Go's, and all read in
// order.
var codecs = []codec{
	{name: "gzip", extension: ".gz", is: begins("\x1f\x8b"), open: func(r io.Reader) (io.Reader, func(), error) {
		z, err := gzip.NewReader(r)
		return z, nil, err
	}},
	{name: "zstd", extension: ".zst", is: begins("\x28\xb5\x2f\xfd"), open: func(r io.Reader) (io.Reader, func(), error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, nil, err
		}
		return z, z.Close, nil
	}},
	{name: "bzip2", extension: ".bz2", is: isBzip2, open: func(r io.Reader) (io.Reader, func(), error) {
		return bzip2.NewReader(r), nil, nil
	}},
	{name: "xz", extension: ".xz", is: begins("\xfd7zXZ\x00"), open: func(r io.Reader) (io.Reader, func(), error) {
		b := bufio.NewReader(r)
		head, _ := b.Peek(xzHeadBytes)
		if err := checkXZ(head); err != nil {
			return nil, nil, err
		}
		z, err := xz.NewReader(b)
		return z, nil, err
	}},
	{name: "lz4", extension: ".lz4", is: begins("\x04\x22\x4d\x18"), open: func(r io.Reader) (io.Reader, func(), error) {
		return lz4.NewReader(r), nil, nil
	}},
}

// isBzip2 tells such a file from a table whose first name begins with BZh.
func isBzip2(head []byte) bool {
	return len(head) >= MagicBytes && string(head[:3]) == "BZh" && (string(head[4:8]) == "1AY&" || string(head[4:8]) == "\x17\x72\x45\x38")
}

// codecOf returns the codec of a file that begins like this; nil: none.
func codecOf(head []byte) *codec {
	i := slices.IndexFunc(codecs, func(c codec) bool { return c.is(head) })
	if i < 0 {
		return nil
	}
	return &codecs[i]
}

// Compressions returns the names of the ways in which files may be compressed.
func Compressions() (all []string) {
	for _, c := range codecs {
		all = append(all, c.name)
	}
	return all
}

// extensions returns the extensions of the names of compressed files.
func extensions() (all []string) {
	for _, c := range codecs {
		all = append(all, c.extension)
	}
	return append(all, ".zip")
}

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

// Plain reports whether a file is neither compressed, nor of a kind that holds no text, nor UTF-16.
// head is its first MagicBytes, or fewer if the file is shorter.
func Plain(head []byte) bool {
	return codecOf(head) == nil && !isZip(head) && foreignOf(head) == nil && utf16Of(head[:min(len(head), MagicBytes)]) == ""
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
	s.claimed.Store(opts.First)
	head := make([]byte, foreignBytes)
	n, err := s.Peek(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if isZip(head[:n]) {
		return openZip(f, size, opts)
	}
	plain := Plain(head[:n])
	if plain {
		if err := misnamed(f.Name(), head[:n]); err != nil {
			return nil, err
		}
	}
	if opts.Sheet != "" {
		return nil, noSheet(f.Name())
	}
	if opts.Encoding == "" && opts.Rewrite == nil && plain {
		return s, nil
	}
	return openStream(f, io.NewSectionReader(f, 0, size), opts)
}

func openStream(f vfs.File, r io.Reader, opts Options) (Source, error) {
	if opts.Sheet != "" {
		return nil, noSheet(f.Name())
	}
	s := newStream(f.Name(), r, opts)
	begin := bufio.NewReaderSize(s.under, readBufferBytes)
	head, err := begin.Peek(MagicBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	if head, err = begin.Peek(min(max(begin.Buffered(), len(head)), foreignBytes)); err != nil {
		return nil, fmt.Errorf("read %s: %w", f.Name(), err)
	}
	if isZip(head) {
		return nil, pipedZip(f.Name())
	}
	if what := foreignOf(head); what != nil {
		return nil, what.refuse(f.Name())
	}
	s.reader = begin
	if c := codecOf(head); c != nil {
		s.codec = c.name
		if s.reader, s.closer, err = c.open(begin); err != nil {
			return nil, s.wrap(err)
		}
	}
	if err := s.decode(&opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// newStream returns a source that reads from r; its reader is not set.
func newStream(name string, r io.Reader, opts Options) *streamSource {
	return &streamSource{
		under: &countingReader{reader: r}, name: name, blockSize: int64(opts.BlockSize), blocks: opts.Blocks, token: make(chan struct{}, 1),
	}
}

// decode makes the source read text in UTF-8.
func (s *streamSource) decode(o *Options) error {
	text := bufio.NewReader(s.reader)
	head, err := text.Peek(MagicBytes)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s.wrap(err)
	}
	if s.codec != "" {
		inner, _ := text.Peek(min(max(text.Buffered(), len(head)), foreignBytes))
		if what := foreignOf(inner); what != nil {
			return what.refuse(s.name)
		}
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
