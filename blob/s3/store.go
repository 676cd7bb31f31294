// Package s3 keeps objects in a bucket of any S3 service.
//
// It owns the conversation with the service: signing, paging, timeouts, and
// what each of its failures means. It never stores anything on this machine and
// never holds an object in memory. The failure it is built around is the answer
// that does not come: a request that may or may not have taken effect is made
// safe to repeat, and a service that is away is told apart from an object that
// is not there.
package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"quern"
	"quern/blob"
)

// Options say which bucket a store keeps its objects in.
type Options struct {
	// Endpoint is the service's URL, scheme and host.
	Endpoint string
	// PublicEndpoint is the URL under which clients reach the service; a part's
	// URL is signed for it. Empty means Endpoint.
	PublicEndpoint string
	// Bucket is the bucket's name.
	Bucket string
	// Region is the bucket's region; empty means us-east-1.
	Region string
	// AccessKeyID and SecretAccessKey sign all requests.
	AccessKeyID, SecretAccessKey string
	// Lending is how keys for others are asked for; only Lend needs it.
	Lending Lending
	// PathStyle puts the bucket into the path; else it goes into the host name
	// where the service is known to take it there.
	PathStyle bool
	// Transport replaces the HTTP transport; nil means one with timeouts.
	Transport http.RoundTripper
}

const (
	defaultRegion = "us-east-1"
	// tries is how often a request that fails for want of an answer is made.
	tries = 3
	// onePut is the size up to which an object is stored with one request.
	onePut = 64 << 20
)

// Store keeps objects in a bucket. It implements blob.Store, blob.Multipart and blob.Ranger.
type Store struct {
	core   minio.Core
	public *minio.Client
	bucket string
	region string

	lending                      Lending
	accessKeyID, secretAccessKey string
	transport                    http.RoundTripper

	mu        sync.Mutex
	finishing map[string]chan struct{} // the uploads being completed
}

// New makes a store. It does not talk to the service: see Ready and MakeBucket.
func New(o Options) (*Store, error) {
	if o.Bucket == "" {
		return nil, errors.New("blob/s3: no bucket is named")
	}
	if o.Region == "" {
		o.Region = defaultRegion
	}
	if o.Transport == nil {
		o.Transport = transport()
	}
	if o.PublicEndpoint == "" {
		o.PublicEndpoint = o.Endpoint
	}
	client, err := dial(o, o.Endpoint)
	if err != nil {
		return nil, fmt.Errorf("blob/s3: endpoint: %w", err)
	}
	public, err := dial(o, o.PublicEndpoint)
	if err != nil {
		return nil, fmt.Errorf("blob/s3: public endpoint: %w", err)
	}
	return &Store{
		core: minio.Core{Client: client}, public: public, bucket: o.Bucket, region: o.Region,
		lending: o.Lending, accessKeyID: o.AccessKeyID, secretAccessKey: o.SecretAccessKey, transport: o.Transport,
		finishing: map[string]chan struct{}{},
	}, nil
}

func dial(o Options, endpoint string) (*minio.Client, error) {
	u, err := url.Parse(endpoint)
	if err != nil {
		return nil, err
	}
	bare := u.Path == "" || u.Path == "/"
	if !quern.IsWeb(u) || !bare {
		return nil, errors.New("want http:// or https:// and a host, without a path")
	}
	lookup := minio.BucketLookupAuto
	if o.PathStyle {
		lookup = minio.BucketLookupPath
	}
	return minio.New(u.Host, &minio.Options{
		Creds:  credentials.NewStaticV4(o.AccessKeyID, o.SecretAccessKey, ""),
		Secure: u.Scheme == "https", Region: o.Region, BucketLookup: lookup,
		Transport: o.Transport, MaxRetries: tries,
	})
}

// transport bounds every stage of a request but the body's, which may be large.
func transport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: 2 * time.Minute,
		ExpectContinueTimeout: time.Second,
		IdleConnTimeout:       time.Minute,
		MaxIdleConns:          64,
		MaxIdleConnsPerHost:   64,
		MaxConnsPerHost:       256,
		DisableCompression:    true,
	}
}

// Ready reports whether the bucket can be used.
func (s *Store) Ready(ctx context.Context) error {
	ok, err := s.core.BucketExists(ctx, s.bucket)
	if err != nil {
		return classify(ctx, err)
	}
	if !ok {
		return quern.E(quern.Unreachable, quern.CodeUnreachable, "the object store has no such bucket")
	}
	return nil
}

// MakeBucket makes the bucket unless it is there.
func (s *Store) MakeBucket(ctx context.Context) error {
	if s.Ready(ctx) == nil {
		return nil
	}
	err := s.core.MakeBucket(ctx, s.bucket, minio.MakeBucketOptions{Region: s.region})
	switch minio.ToErrorResponse(err).Code {
	case "BucketAlreadyOwnedByYou", "BucketAlreadyExists":
		return nil
	}
	return classify(ctx, err)
}

// Put implements blob.Store.
func (s *Store) Put(ctx context.Context, key string, r io.Reader, size int64) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	if size < 0 {
		return quern.E(quern.Invalid, quern.CodeInvalid, "the object size is negative")
	}
	source := blob.Exactly(r, size)
	body := io.Reader(source)
	if size == 0 {
		// An empty body is never read by the HTTP client, so it is checked here.
		if _, err := body.Read(make([]byte, 1)); err != io.EOF {
			return err
		}
		body = bytes.NewReader(nil)
	}
	opts := minio.PutObjectOptions{
		ContentType:      "application/octet-stream",
		DisableMultipart: size <= onePut,
		// Nothing in signed chunks is still a chunk, which some services leave unread
		// on the connection.
		DisableContentSha256: size == 0,
	}
	_, err := s.core.Client.PutObject(ctx, s.bucket, key, body, size, opts)
	if err != nil && ctx.Err() == nil && source.Err() != nil {
		return source.Err()
	}
	return classify(ctx, err)
}

// Open implements blob.Store.
func (s *Store) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return nil, err
	}
	if offset < 0 {
		return nil, blob.ErrRange
	}
	if length == 0 {
		_, err := s.Stat(ctx, key)
		return http.NoBody, err
	}
	var opts minio.GetObjectOptions
	switch {
	case length > 0:
		opts.Set("Range", fmt.Sprintf("bytes=%d-%d", offset, offset+length-1))
	case offset > 0:
		opts.Set("Range", fmt.Sprintf("bytes=%d-", offset))
	}
	body, info, _, err := s.core.GetObject(ctx, s.bucket, key, opts)
	if minio.ToErrorResponse(err).StatusCode == http.StatusRequestedRangeNotSatisfiable {
		return http.NoBody, nil
	}
	if err != nil {
		return nil, classify(ctx, err)
	}
	return &reader{ctx: ctx, body: body, size: info.Size}, nil
}

// OpenRange implements blob.Ranger.
func (s *Store) OpenRange(ctx context.Context, key string, span blob.Span, tag string) (io.ReadCloser, blob.Version, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return nil, blob.Version{}, err
	}
	if span.From < 0 || span.To <= span.From {
		return nil, blob.Version{}, blob.ErrRange
	}
	var opts minio.GetObjectOptions
	err := opts.SetRange(span.From, span.To-1)
	if err == nil && tag != "" {
		err = opts.SetMatchETag(tag)
	}
	if err != nil {
		return nil, blob.Version{}, err
	}
	body, info, header, err := s.core.GetObject(ctx, s.bucket, key, opts)
	switch minio.ToErrorResponse(err).StatusCode {
	case http.StatusPreconditionFailed, http.StatusRequestedRangeNotSatisfiable:
		return nil, blob.Version{}, blob.ErrChanged
	}
	if err != nil {
		return nil, blob.Version{}, classify(ctx, err)
	}
	size, given := rangeSize(header.Get("Content-Range"), span)
	if !given || info.ETag == "" {
		return nil, blob.Version{}, errors.Join(blob.ErrNoRange, body.Close())
	}
	return &reader{ctx: ctx, body: body, size: span.To - span.From}, blob.Version{Tag: info.ETag, Size: size}, nil
}

// rangeSize reads the size of an object from the header of an answer that has a part of it,
// and reports whether it is the part that was asked for.
func rangeSize(header string, span blob.Span) (size int64, given bool) {
	var from, last int64
	n, err := fmt.Sscanf(header, "bytes %d-%d/%d", &from, &last, &size)
	return size, err == nil && n == 3 && from == span.From && last == span.To-1
}

// reader classifies the errors of a body that is cut on its way.
type reader struct {
	ctx  context.Context
	body io.ReadCloser
	size int64
}

// Size is how many bytes the body was announced with.
func (r *reader) Size() int64 { return r.size }

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.body.Read(p)
	if err != nil && err != io.EOF {
		err = classify(r.ctx, blob.ErrUnreachable.Because(err))
	}
	return n, err
}

func (r *reader) Close() error { return r.body.Close() }

// Stat implements blob.Store.
func (s *Store) Stat(ctx context.Context, key string) (blob.Info, error) {
	info, err := s.stat(ctx, key)
	return blob.Info{Key: key, Size: info.Size, Modified: info.LastModified}, err
}

func (s *Store) stat(ctx context.Context, key string) (minio.ObjectInfo, error) {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return minio.ObjectInfo{}, err
	}
	info, err := s.core.StatObject(ctx, s.bucket, key, minio.StatObjectOptions{})
	return info, classify(ctx, err)
}

// Delete implements blob.Store.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := errors.Join(ctx.Err(), blob.CheckKey(key)); err != nil {
		return err
	}
	err := classify(ctx, s.core.RemoveObject(ctx, s.bucket, key, minio.RemoveObjectOptions{}))
	if quern.Is(err, quern.NotFound) {
		return nil
	}
	return err
}

// List implements blob.Store.
func (s *Store) List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(blob.Info{}, err)
			return
		}
		inner, cancel := context.WithCancel(ctx)
		defer cancel()
		objects := s.core.ListObjectsIter(inner, s.bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true})
		for o := range objects {
			if o.Err != nil {
				yield(blob.Info{}, classify(ctx, o.Err))
				return
			}
			if !yield(blob.Info{Key: o.Key, Size: o.Size, Modified: o.LastModified}, nil) {
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(blob.Info{}, err)
		}
	}
}
