package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

// The formats of an image, see the specification of the Open Container Initiative.
const (
	mediaIndex    = "application/vnd.oci.image.index.v1+json"
	mediaManifest = "application/vnd.oci.image.manifest.v1+json"
	mediaConfig   = "application/vnd.oci.image.config.v1+json"
	mediaLayer    = "application/vnd.oci.image.layer.v1.tar+gzip"
)

// user is whom the program in the image runs as, and whose its directories are.
const user = 65532

// descriptor refers to a blob.
type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int               `json:"size"`
	Platform    map[string]string `json:"platform,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// manifest is the manifest of an image, or the index of several.
type manifest struct {
	SchemaVersion int           `json:"schemaVersion"`
	MediaType     string        `json:"mediaType"`
	Config        *descriptor   `json:"config,omitempty"`
	Layers        []descriptor  `json:"layers,omitempty"`
	Manifests     []*descriptor `json:"manifests,omitempty"`
}

// blobs collects the files of an image's archive.
type blobs struct{ files []file }

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func (b *blobs) add(media string, text []byte) *descriptor {
	b.files = append(b.files, file{name: "blobs/sha256/" + digest(text), mode: 0o644, text: text})
	return &descriptor{MediaType: media, Digest: "sha256:" + digest(text), Size: len(text)}
}

func (b *blobs) addJSON(media string, v any) (*descriptor, error) {
	text, err := json.Marshal(v)
	return b.add(media, text), err
}

// image writes an archive with an image for each platform of Linux: the program and
// directories for state and answers that belong to the user it runs as, on top of nothing. It is
// what “make image” makes with Docker.
func (r *release) image(platforms []platform) error {
	var b blobs
	index := manifest{SchemaVersion: 2, MediaType: mediaIndex}
	for _, p := range platforms {
		if p.system != "linux" {
			continue
		}
		d, err := r.imageFor(&b, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		index.Manifests = append(index.Manifests, d)
	}
	if index.Manifests == nil {
		return nil
	}
	all, err := b.addJSON(mediaIndex, index)
	if err != nil {
		return err
	}
	all.Annotations = map[string]string{"org.opencontainers.image.ref.name": r.version, "io.containerd.image.name": "docker.io/library/analyzer:" + r.version}
	top, err := json.Marshal(manifest{SchemaVersion: 2, MediaType: mediaIndex, Manifests: []*descriptor{all}})
	if err != nil {
		return err
	}
	text, err := tarred(append([]file{
		{name: "oci-layout", mode: 0o644, text: []byte(`{"imageLayoutVersion":"1.0.0"}`)},
		{name: "index.json", mode: 0o644, text: top},
	}, b.files...), r.date)
	if err != nil {
		return err
	}
	return r.write("analyzer-"+r.version+"-image.tar", text)
}

func (r *release) imageFor(b *blobs, p platform) (*descriptor, error) {
	program, err := os.ReadFile(r.path(p))
	if err != nil {
		return nil, err
	}
	plain, err := tarred([]file{
		{name: "state/", mode: 0o755, owner: user},
		{name: "answers/", mode: 0o755, owner: user},
		{name: "analyzer", mode: 0o755, text: program},
	}, r.date)
	if err != nil {
		return nil, err
	}
	packed, err := gzipped(plain)
	if err != nil {
		return nil, err
	}
	config, err := b.addJSON(mediaConfig, map[string]any{
		"architecture": p.processor, "os": p.system, "created": r.date,
		"config": map[string]any{
			"User": fmt.Sprintf("%d:%d", user, user), "Entrypoint": []string{"/analyzer"}, "Volumes": map[string]any{"/state": struct{}{}},
			"Labels": map[string]string{"org.opencontainers.image.title": "analyzer", "org.opencontainers.image.version": r.version},
		},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{"sha256:" + digest(plain)}},
	})
	if err != nil {
		return nil, err
	}
	layer := b.add(mediaLayer, packed)
	d, err := b.addJSON(mediaManifest, manifest{SchemaVersion: 2, MediaType: mediaManifest, Config: config, Layers: []descriptor{*layer}})
	if err != nil {
		return nil, err
	}
	d.Platform = map[string]string{"architecture": p.processor, "os": p.system}
	return d, nil
}

// sums are the lines of a file of checksums, as sha256sum reads them.
func sums(files []file) []byte {
	var b bytes.Buffer
	for _, f := range files {
		fmt.Fprintf(&b, "%s  %s\n", digest(f.text), f.name)
	}
	return b.Bytes()
}
