package stored

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"analyzer/columnar/stored/workbook"
	"analyzer/columnar/vfs"
)

func isZip(head []byte) bool { return begins("PK\x03\x04", "PK\x05\x06")(head) }

// isWorkbook reports whether a zip archive is an Excel workbook.
func isWorkbook(f vfs.File) bool {
	size, err := f.Size()
	if err != nil {
		return false
	}
	z, err := zip.NewReader(f, size)
	return err == nil && workbook.Is(z)
}

// Member is a file that names one of the files in a zip archive.
type Member interface {
	vfs.File
	Member() string
}

// CutMember cuts a name such as a.zip/b.csv into those of an archive and of a file in it.
func CutMember(name string) (archive, member string, ok bool) {
	at := strings.Index(strings.ToLower(name), ".zip/")
	if at < 0 {
		return name, "", false
	}
	at += len(".zip")
	return name[:at], name[at+1:], name[at+1:] != ""
}

func noSheet(name string) error {
	return &InputError{File: name, Reason: ReasonUnknown, Detail: "a sheet is named, and the file is no Excel workbook (.xlsx)", Hint: "leave the sheet out"}
}

func pipedZip(name string) error {
	return &InputError{
		File: name, Reason: ReasonUnknown, Detail: "a zip archive cannot be read from a pipe, since what is in it stands at its end",
		Hint: "name the archive itself, or unpack it: unzip -p ARCHIVE | …",
	}
}

// openZip opens the only file in an archive, or the one that is named.
func openZip(f vfs.File, size int64, opts Options) (Source, error) {
	s := newStream(f.Name(), nil, opts)
	s.codec = "zip"
	z, err := zip.NewReader(readerAt{f, s.under}, size)
	if err != nil {
		return nil, s.wrap(err)
	}
	if workbook.Is(z) {
		return s, s.openSheet(z, opts)
	}
	if opts.Sheet != "" {
		return nil, noSheet(f.Name())
	}
	member, err := memberOf(f, z)
	if err != nil {
		return nil, err
	}
	if member.Flags&1 != 0 {
		return nil, &InputError{File: f.Name(), Reason: ReasonUnknown, Detail: fmt.Sprintf("%q in the zip archive is encrypted", member.Name), Hint: unpack}
	}
	r, err := member.Open()
	if err != nil {
		return nil, s.wrap(err)
	}
	s.reader, s.closer = r, func() { _ = r.Close() } // of a reader
	if err := s.decode(&opts); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// openSheet makes the source read a sheet of a workbook as CSV.
func (s *streamSource) openSheet(z *zip.Reader, opts Options) error {
	s.codec = "Excel"
	r, err := workbook.Open(z, opts.Sheet)
	if err != nil {
		return s.wrap(err)
	}
	s.reader, s.closer, s.notes = r, func() { _ = r.Close() }, r.Notes() // of a reader
	if opts.Rewrite != nil {
		s.reader = opts.Rewrite(s.reader)
	}
	return nil
}

// maxListed is how many names of an archive an error lists.
const maxListed = 20

func memberOf(f vfs.File, z *zip.Reader) (*zip.File, error) {
	refuse := func(detail, hint string) (*zip.File, error) {
		return nil, &InputError{File: f.Name(), Reason: ReasonUnknown, Detail: detail, Hint: hint}
	}
	want := ""
	if named, ok := f.(Member); ok {
		want = named.Member()
	}
	var files []*zip.File
	var names []string
	for _, file := range z.File {
		switch name := file.Name; {
		case name == "xl/workbook.bin":
			return refuse("not a CSV file: it is an Excel workbook in the binary form (.xlsb)", "save it as .xlsx or CSV there, and name that file")
		case name == "content.xml":
			return refuse("not a CSV file: it is an OpenDocument file", exportCSV)
		case want != "" && name == want:
			return file, nil
		case strings.HasSuffix(name, "/"), strings.HasPrefix(name, "__MACOSX/"), strings.HasPrefix(path.Base(name), "._"), path.Base(name) == ".DS_Store":
			continue
		}
		files, names = append(files, file), append(names, file.Name)
	}
	all := strings.Join(names[:min(len(names), maxListed)], ", ")
	if n := len(names) - maxListed; n > 0 {
		all += fmt.Sprintf(" and %d more", n)
	}
	switch {
	case want != "":
		return refuse(fmt.Sprintf("the zip archive has no %q; it has %s", want, all), "name one of these")
	case len(files) == 0:
		return refuse("the zip archive has no files", "name another one")
	case len(files) > 1:
		return refuse(fmt.Sprintf("the zip archive has %d files: %s", len(files), all), fmt.Sprintf("name one of them: '%s/%s'", path.Base(f.Name()), names[0]))
	}
	return files[0], nil
}

// readerAt counts what is read of an archive.
type readerAt struct {
	from  io.ReaderAt
	count *countingReader
}

func (r readerAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := r.from.ReadAt(p, off)
	r.count.count.Add(int64(n))
	if err != nil && !errors.Is(err, io.EOF) {
		r.count.err.Store(&err)
	}
	return n, err
}
