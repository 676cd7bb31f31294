package s3door

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"quern"
	"quern/blob"
	"quern/door"
)

// Bucket is the one bucket, and Path is where the face is to be mounted, with and
// without what follows the slash.
const (
	Bucket = "quern-tables"
	Path   = "/" + Bucket
)

// Region is where the bucket says it is. Signatures may name any.
const Region = "us-east-1"

const (
	// maxReads bounds the requests that are served at a time, so that engines with many
	// connections leave room for the other edges.
	maxReads = 256
	// pieceSize is how much of an object is on its way at a time.
	pieceSize = 128 << 10
)

// Keys knows the keys that loads of tables hand out.
type Keys interface {
	// Open returns what a key opens now: its secret, and the folder of objects that it
	// may read, ending in a slash. It fails with quern.Unauthentic for a key or token
	// that is forged, quern.Gone for one that has expired, and quern.NotFound when its
	// caller may no longer read the table.
	Open(ctx context.Context, accessKeyID, sessionToken string) (secret, folder string, err error)
}

// Objects are what is read: objects as a blob.Store has them.
type Objects interface {
	Stat(ctx context.Context, key string) (blob.Info, error)
	Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error)
	List(ctx context.Context, prefix string) iter.Seq2[blob.Info, error]
}

// Options says what a Face works with.
type Options struct {
	Keys    Keys
	Objects Objects
	// PublicURL is the address under which clients reach the server. Its host may be the
	// one that they signed, where a proxy puts in its own.
	PublicURL string
	Now       func() time.Time // nil: time.Now
}

// Face answers the requests of S3 clients.
type Face struct {
	keys    Keys
	objects Objects
	host    string // of the public URL
	now     func() time.Time
	slots   chan struct{}
	pieces  sync.Pool
}

// New makes a face. It fails when the public URL is none.
func New(o Options) (*Face, error) {
	public, err := url.Parse(o.PublicURL)
	if err != nil || public.Host == "" {
		return nil, errors.Join(errors.New("s3door: the public URL has no host"), err)
	}
	f := &Face{keys: o.Keys, objects: o.Objects, host: public.Host, now: o.Now, slots: make(chan struct{}, maxReads)}
	if f.now == nil {
		f.now = time.Now
	}
	f.pieces.New = func() any { piece := make([]byte, pieceSize); return &piece }
	return f, nil
}

// Reads is how many requests are answered, and how many may be at once.
func (f *Face) Reads() quern.Room { return quern.Places(f.slots) }

// ServeHTTP answers one request.
func (f *Face) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Amz-Request-Id", door.RequestID(r.Context()))
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		writeFault(w, r, errBusy)
		return
	}
	if err := f.serve(w, r); err != nil {
		writeFault(w, r, err)
	}
}

func (f *Face) serve(w http.ResponseWriter, r *http.Request) error {
	key, err := objectKey(r.URL.Path)
	if err != nil {
		return err
	}
	query, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		return errQuery.because(err)
	}
	op, err := operationOf(r.Method, key, query)
	if err != nil {
		return err
	}
	door.SetOperation(r.Context(), op.name)
	folder, err := f.admit(r, query)
	if err != nil {
		return err
	}
	return op.answer(f, w, r, call{key: key, query: query, folder: folder})
}

// call is what a request that was let in asks for.
type call struct {
	key    string // "" for the bucket
	query  url.Values
	folder string // what the request's key opens
}

// objectKey returns the key of the object that a path names, "" for the bucket.
func objectKey(path string) (string, error) {
	rest, ok := strings.CutPrefix(path, Path)
	if !ok || rest != "" && rest[0] != '/' {
		return "", errNoBucket
	}
	return strings.TrimPrefix(rest, "/"), nil
}

// operation is one thing that the face does.
type operation struct {
	name   string
	query  string // the parameters it knows
	answer func(*Face, http.ResponseWriter, *http.Request, call) error
}

var (
	headBucket     = operation{"s3HeadBucket", "", (*Face).headBucket}
	bucketLocation = operation{"s3BucketLocation", "location", (*Face).location}
	listObjects    = operation{"s3ListObjects", "list-type prefix delimiter max-keys marker continuation-token start-after encoding-type fetch-owner", (*Face).list}
	headObject     = operation{"s3HeadObject", "", (*Face).object}
	getObject      = operation{"s3GetObject", "", (*Face).object}
)

// operationOf finds out what a request is to do, and refuses what S3 does and this
// face does not: writes, and parameters that would change the answer.
func operationOf(method, key string, query url.Values) (operation, error) {
	var op operation
	switch {
	case method != http.MethodGet && method != http.MethodHead:
		return op, errMethod
	case key == "" && method == http.MethodHead:
		op = headBucket
	case key == "" && query.Has("location"):
		op = bucketLocation
	case key == "":
		op = listObjects
	case method == http.MethodHead:
		op = headObject
	default:
		op = getObject
	}
	known := " x-id " + op.query + " "
	for name := range query {
		if !isSigning(name) && !strings.Contains(known, " "+name+" ") {
			return op, errSubresource
		}
	}
	return op, nil
}

func (f *Face) headBucket(w http.ResponseWriter, _ *http.Request, _ call) error {
	w.Header().Set("X-Amz-Bucket-Region", Region)
	w.WriteHeader(http.StatusOK)
	return nil
}

func (f *Face) location(w http.ResponseWriter, _ *http.Request, _ call) error {
	return writeXML(w, http.StatusOK, struct {
		XMLName struct{} `xml:"http://s3.amazonaws.com/doc/2006-03-01/ LocationConstraint"`
	}{}) // nothing in it: S3's first region, which is Region
}

// admit returns the folder that the key of a request opens, once its signature holds.
func (f *Face) admit(r *http.Request, query url.Values) (folder string, err error) {
	s, err := parseSignature(r, query)
	if err != nil {
		return "", err
	}
	if err := s.checkTime(f.now()); err != nil {
		return "", err
	}
	if s.token == "" {
		return "", errNoKey
	}
	secret, folder, err := f.keys.Open(r.Context(), s.keyID, s.token)
	switch {
	case quern.Is(err, quern.Unauthentic):
		return "", errToken.because(err)
	case quern.Is(err, quern.Gone):
		return "", errTokenExpired.because(err)
	case quern.Is(err, quern.NotFound):
		return "", errDenied.because(err)
	case err != nil:
		return "", err
	}
	signedHere := s.holds(r, query, secret, r.Host)
	if !signedHere && (f.host == r.Host || !s.holds(r, query, secret, f.host)) {
		return "", errSignature
	}
	return folder, nil
}
