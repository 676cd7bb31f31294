package client

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// stallTime is how long a part may make no progress before it is sent anew.
	stallTime = 2 * time.Minute
	// maxRefusals is how often a part may be refused before that is believed.
	maxRefusals = 5
)

// transfer is one file on its way.
type transfer struct {
	client                         *Client
	session, fileID, uploadID, key string
	partSize                       int64
	completed                      bool
	file                           File
	progress                       *Progress

	mu   sync.Mutex
	urls map[int]string
	tags []string // by part, from 0; empty: still to be sent
	left int
}

func newTransfer(c *Client, session string, f File, p *Progress) *transfer {
	return &transfer{client: c, session: session, file: f, progress: p, urls: map[int]string{}}
}

// lay makes room for the file's parts.
func (t *transfer) lay() {
	t.left = 1
	if t.file.Size > 0 {
		t.left = int((t.file.Size-1)/max(t.partSize, 1)) + 1
	}
	t.tags = make([]string, t.left)
}

// section is the bytes of a part.
func (t *transfer) section(number int) *io.SectionReader {
	offset := int64(number-1) * t.partSize
	return io.NewSectionReader(t.file.Content, offset, min(t.partSize, t.file.Size-offset))
}

// take looks which parts need not be sent: those that arrived and still are what
// the file holds.
func (t *transfer) take(ctx context.Context, arrived []Part) error {
	if t.completed {
		t.progress.done.Add(t.file.Size)
		return nil
	}
	for _, p := range arrived {
		if p.Number < 1 || p.Number > len(t.tags) {
			continue
		}
		sum, err := t.sum(ctx, p.Number)
		if err != nil {
			return err
		}
		if hex.EncodeToString(sum) == p.ETag {
			t.tags[p.Number-1] = p.ETag
			t.left--
			t.progress.done.Add(t.section(p.Number).Size())
		}
	}
	return nil
}

// sum is the digest of a part.
func (t *transfer) sum(ctx context.Context, number int) ([]byte, error) {
	section, digest := t.section(number), md5.New()
	n, err := io.Copy(digest, &reading{Reader: section, ctx: ctx})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, final("%s cannot be read: %w", t.file.Name, err)
	}
	if n != section.Size() {
		return nil, final("%s has become shorter", t.file.Name)
	}
	return digest.Sum(nil), nil
}

// reading ends with its context.
type reading struct {
	io.Reader
	ctx context.Context
}

func (r *reading) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// pending lists the tasks that are left: parts, or 0 where only finishing is.
func (t *transfer) pending() []int {
	if t.completed {
		return nil
	}
	var numbers []int
	for i, tag := range t.tags {
		if tag == "" {
			numbers = append(numbers, i+1)
		}
	}
	if numbers == nil {
		return []int{0}
	}
	return numbers
}

// do sends a part, and finishes the file when it was the last one.
func (t *transfer) do(ctx context.Context, number int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if number > 0 {
		tag, err := t.sendPart(ctx, number)
		if err != nil {
			return err
		}
		t.mu.Lock()
		t.tags[number-1] = tag
		t.left--
		last := t.left == 0
		t.mu.Unlock()
		if !last {
			return nil
		}
	}
	return t.finish(ctx)
}

func (t *transfer) finish(ctx context.Context) error {
	if t.file.Check != nil {
		if err := t.file.Check(); err != nil {
			return err
		}
	}
	parts := make([]Part, len(t.tags))
	for i, tag := range t.tags {
		parts[i] = Part{Number: i + 1, ETag: tag}
	}
	_, err := t.client.Finish(ctx, t.session, t.fileID, t.uploadID, t.key, parts)
	return err
}

// sendPart sends a part until it has arrived and returns its ETag.
func (t *transfer) sendPart(ctx context.Context, number int) (tag string, err error) {
	refusals := 0
	err = t.client.retry(ctx, func() error {
		address, err := t.url(ctx, number)
		if err != nil {
			return err
		}
		tag, err = t.put(ctx, address, number)
		refused, ok := errors.AsType[*Error](err)
		if !ok || refusals >= maxRefusals {
			return err
		}
		switch refused.Status {
		case http.StatusForbidden:
			t.drop(number, address) // most likely expired
		case http.StatusBadRequest, http.StatusUnprocessableEntity, http.StatusConflict:
			// cut or changed on its way
		default:
			return err
		}
		refusals++
		return errors.New(refused.Error()) // no longer final
	})
	return tag, err
}

// url returns a part's URL, asking for fresh ones when there is none.
func (t *transfer) url(ctx context.Context, number int) (string, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.urls[number] != "" {
		return t.urls[number], nil
	}
	var numbers []int
	for i, tag := range t.tags {
		if tag == "" {
			numbers = append(numbers, i+1)
		}
	}
	fresh, err := t.client.Renew(ctx, t.session, t.fileID, numbers)
	if err != nil {
		return "", &finalError{err} // has been tried again already
	}
	clear(t.urls)
	for _, u := range fresh.URLs {
		t.urls[u.Number] = u.URL
	}
	if t.urls[number] == "" {
		return "", final("the server gives no URL for part %d of %s", number, t.file.Name)
	}
	return t.urls[number], nil
}

// drop forgets a URL that is no good, unless it has been renewed meanwhile. The
// others are as old, so they go with it.
func (t *transfer) drop(number int, address string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.urls[number] == address {
		clear(t.urls)
	}
}

// put sends a part once and wants it to have arrived as it was sent.
func (t *transfer) put(ctx context.Context, address string, number int) (tag string, err error) {
	section := t.section(number)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stalled := time.AfterFunc(stallTime, func() { cancel(errors.New("the connection stalls")) })
	defer stalled.Stop()
	body := newBody(section, t.progress, func() { stalled.Reset(stallTime) }, !strings.HasPrefix(address, "https:"))
	defer func() {
		if err != nil {
			body.undo()
		}
	}()
	req, err := http.NewRequestWithContext(ctx, http.MethodPut, address, body)
	if err != nil {
		return "", final("a part's URL cannot be used: %w", err)
	}
	if req.ContentLength = section.Size(); section.Size() == 0 {
		req.Body = http.NoBody
	}
	resp, err := t.client.http.Do(req)
	if fault := body.fault(); fault != nil {
		return "", final("%s %w", t.file.Name, fault)
	}
	if err != nil {
		return "", errors.Join(err, context.Cause(ctx))
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return "", refusal(resp)
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16)) // so that the connection can be used again
	tag = strings.Trim(resp.Header.Get("ETag"), `"`)
	// Where the service encrypts with a key of its own, the tag is no digest.
	if !strings.HasPrefix(resp.Header.Get("X-Amz-Server-Side-Encryption"), "aws:kms") && !body.is(tag) {
		return "", errors.New("a part was changed on its way")
	}
	return tag, nil
}
