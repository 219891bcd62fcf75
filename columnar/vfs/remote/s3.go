package remote

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

const schemeS3 = "s3://"

// cutS3 returns the bucket and the key of a name.
func cutS3(name string) (bucket, key string, ok bool) {
	if len(name) < len(schemeS3) || !strings.EqualFold(name[:len(schemeS3)], schemeS3) {
		return "", "", false
	}
	bucket, key, _ = strings.Cut(name[len(schemeS3):], "/")
	return bucket, key, true
}

// store is an object store.
type store struct{ client *minio.Client }

// newStore returns the store that the environment names.
func newStore(cfg Config) (*store, error) {
	endpoint := cmp.Or(cfg.Getenv("AWS_ENDPOINT_URL_S3"), cfg.Getenv("AWS_ENDPOINT_URL"), "https://s3.amazonaws.com")
	if !strings.Contains(endpoint, "://") {
		endpoint = "https://" + endpoint
	}
	at, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	o := &minio.Options{
		Creds: credentialsOf(cfg), Secure: at.Scheme == "https", Transport: cfg.Client.Transport, MaxRetries: 1,
		Region: cmp.Or(cfg.Getenv("AWS_REGION"), cfg.Getenv("AWS_DEFAULT_REGION")),
	}
	if !strings.HasSuffix(at.Hostname(), ".amazonaws.com") {
		o.BucketLookup, o.Region = minio.BucketLookupPath, cmp.Or(o.Region, "us-east-1")
	}
	client, err := minio.New(at.Host, o)
	if err != nil {
		return nil, err
	}
	return &store{client}, nil
}

// credentialsOf returns who asks: by variables, by the usual files, or as the machine. Without any of
// these, requests are not signed.
func credentialsOf(cfg Config) *credentials.Credentials {
	if id := cfg.Getenv("AWS_ACCESS_KEY_ID"); id != "" {
		return credentials.NewStaticV4(id, cfg.Getenv("AWS_SECRET_ACCESS_KEY"), cfg.Getenv("AWS_SESSION_TOKEN"))
	}
	providers := []credentials.Provider{
		&credentials.FileAWSCredentials{Filename: cfg.Getenv("AWS_SHARED_CREDENTIALS_FILE"), Profile: cfg.Getenv("AWS_PROFILE")},
	}
	if cfg.Getenv("AWS_EC2_METADATA_DISABLED") != "true" {
		providers = append(providers, &credentials.IAM{Client: cfg.Client})
	}
	return credentials.NewChainCredentials(providers)
}

func (s *store) get(ctx context.Context, name string, from, to int64, v *version) (*answer, error) {
	bucket, key, _ := cutS3(name)
	o := minio.GetObjectOptions{}
	if to > 0 {
		if err := o.SetRange(from, to-1); err != nil {
			return nil, err
		}
	}
	if v != nil && v.etag != "" {
		if err := o.SetMatchETag(strings.Trim(v.etag, `"`)); err != nil {
			return nil, err
		}
	}
	body, info, header, err := minio.Core{Client: s.client}.GetObject(ctx, bucket, key, o)
	if err != nil {
		if v == nil && minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
			return &answer{http.NoBody, version{ranges: true}}, nil // it is empty
		}
		return nil, failure(err)
	}
	a := &answer{body: body}
	status := http.StatusOK
	if header.Get("Content-Range") != "" {
		status = http.StatusPartialContent
	}
	if a.version, err = versionOf(status, header, info.Size); err != nil {
		return nil, errors.Join(err, body.Close())
	}
	return a, nil
}

// failure turns an error of the store into one of this package.
func failure(err error) error {
	if err == nil {
		return nil
	}
	e := minio.ToErrorResponse(err)
	switch {
	case e.StatusCode == 0:
		return err
	case e.StatusCode == http.StatusRequestedRangeNotSatisfiable:
		return ErrChanged
	}
	text := e.Code
	if e.Message != "" {
		text += ": " + e.Message
	}
	return &statusError{e.StatusCode, text}
}

// ListFrom calls found with the names of the files of a bucket that begin like a pattern, as they are
// listed, until it returns false. It notes their versions.
func (f *FS) ListFrom(prefix string, found func(name string) bool) error {
	bucket, key, ok := cutS3(prefix)
	if !ok {
		return wrap("list", prefix, errors.ErrUnsupported)
	}
	src, err := f.source(prefix)
	if err != nil {
		return wrap("list", prefix, err)
	}
	l := listing{
		fs: f, client: src.(*store).client, root: prefix[:len(schemeS3)] + bucket + "/", bucket: bucket, key: key, found: found,
	}
	for !l.ended {
		if err := f.again(prefix, l.goOn); err != nil {
			return wrap("list", prefix, err)
		}
	}
	return context.Cause(f.ctx)
}

// listing is a listing of the files of a bucket on its way.
type listing struct {
	fs          *FS
	client      *minio.Client
	root        string // what names in the bucket begin with
	bucket, key string // what is listed begins like key
	found       func(name string) bool
	last        string // the key that was listed last
	ended       bool
}

// goOn lists what comes after the last key. It fails if there is an error before any other key.
func (l *listing) goOn(ctx context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	objects := l.client.ListObjects(ctx, l.bucket, minio.ListObjectsOptions{Prefix: l.key, Recursive: true, StartAfter: l.last})
	defer func() {
		stop()
		for range objects { // ends with its context
		}
	}()
	began := l.last
	for o := range objects {
		if o.Err != nil {
			if l.last != began {
				return nil
			}
			return failure(o.Err)
		}
		if l.last = o.Key; strings.HasSuffix(o.Key, "/") {
			continue
		}
		name := l.root + o.Key
		if !l.found(name) {
			break
		}
		l.fs.versions.list(name, &version{size: o.Size, etag: `"` + strings.Trim(o.ETag, `"`) + `"`, ranges: true})
	}
	l.ended = true
	return nil
}
