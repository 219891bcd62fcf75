package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"path"
	"time"
)

// archive writes the archive of a platform, with one directory in it.
func (r *release) archive(p platform, files []file) error {
	for i := range files {
		files[i].name = path.Join(r.name(p), files[i].name)
	}
	if p.system == "windows" {
		text, err := zipped(files, r.date)
		return errors.Join(err, r.write(r.name(p)+".zip", text))
	}
	text, err := tarred(files, r.date)
	if err != nil {
		return err
	}
	text, err = gzipped(text)
	return errors.Join(err, r.write(r.name(p)+".tar.gz", text))
}

func zipped(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: date}
		header.SetMode(f.mode)
		w, err := z.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return b.Bytes(), err
}

// tarred packs files that belong to nobody. A name that ends with a slash is a directory.
func tarred(files []file, date time.Time) ([]byte, error) {
	var b bytes.Buffer
	t := tar.NewWriter(&b)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.text)), ModTime: date, Typeflag: tar.TypeReg, Uid: f.owner, Gid: f.owner}
		if f.name[len(f.name)-1] == '/' {
			header.Typeflag = tar.TypeDir
		}
		if err := t.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := t.Write(f.text); err != nil {
			return nil, err
		}
	}
	err := t.Close()
	return b.Bytes(), err
}

// gzipped compresses without a name and a time.
func gzipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	_, err = z.Write(text)
	err = errors.Join(err, z.Close())
	return b.Bytes(), err
}
