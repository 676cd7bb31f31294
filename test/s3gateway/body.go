package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/versity/versitygw/backend"
	"github.com/versity/versitygw/s3err"
)

// careful mends two faults of the gateway that no S3 service has, and that
// would hide faults of ours: it takes a part whose body was cut off for a whole
// one, and where two clients send the same part at a time, it may keep the
// bytes of one under the ETag of the other. Parts are therefore received whole
// before the gateway sees them, and it sees those of one number one at a time.
type careful struct {
	backend.Backend
	spool string

	mu    sync.Mutex
	parts map[string]*turn
}

type turn struct {
	sync.Mutex
	waiting int
}

func newCareful(b backend.Backend, spool string) *careful {
	return &careful{Backend: b, spool: spool, parts: map[string]*turn{}}
}

// UploadPart receives the body and hands it on.
func (c *careful) UploadPart(ctx context.Context, in *s3.UploadPartInput) (*s3.UploadPartOutput, error) {
	if in.Body == nil || in.ContentLength == nil || in.UploadId == nil || in.PartNumber == nil {
		return c.Backend.UploadPart(ctx, in)
	}
	whole, err := os.CreateTemp(c.spool, "part")
	if err != nil {
		return nil, err
	}
	defer whole.Close()
	if err := os.Remove(whole.Name()); err != nil {
		return nil, err
	}
	n, err := io.Copy(whole, in.Body)
	if err != nil {
		return nil, err
	}
	// A body in signed chunks is longer on the wire than it is here.
	if n < *in.ContentLength && !chunked(in.Body) {
		return nil, s3err.GetAPIError(s3err.ErrIncompleteBody)
	}
	if _, err := whole.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	in.Body = whole
	defer c.take(fmt.Sprintf("%s/%d", *in.UploadId, *in.PartNumber))()
	return c.Backend.UploadPart(ctx, in)
}

// chunked reports whether a body is checked by the gateway as it is read.
func chunked(body io.Reader) bool {
	_, ok := body.(interface{ Algorithm() string })
	return ok
}

// take waits for its turn with a part and returns the way to end it.
func (c *careful) take(part string) func() {
	c.mu.Lock()
	t := c.parts[part]
	if t == nil {
		t = &turn{}
		c.parts[part] = t
	}
	t.waiting++
	c.mu.Unlock()
	t.Lock()
	return func() {
		t.Unlock()
		c.mu.Lock()
		defer c.mu.Unlock()
		if t.waiting--; t.waiting == 0 {
			delete(c.parts, part)
		}
	}
}
