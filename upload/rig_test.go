package upload_test

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"go.uber.org/goleak"

	"quern"
	"quern/auth/authtest"
	"quern/blob"
	"quern/blob/blobtest"
	"quern/blob/fs"
	"quern/blob/s3"
	"quern/store"
	"quern/store/storetest"
	"quern/upload"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// objects is all of an object store.
type objects interface {
	blob.Store
	blob.Multipart
}

// rig is upload sessions on real stores, with a clock that tests move.
type rig struct {
	t       *testing.T
	store   *store.Store
	objects objects
	limits  upload.Limits
	service *upload.Service
	ada     quern.Principal
	http    *http.Client
	clock   *authtest.Clock
}

// on makes a rig. Parts are as small as the object store lets them be.
func on(t *testing.T, o store.Options, kept objects) *rig {
	t.Helper()
	r := &rig{t: t, store: storetest.Open(t, o), objects: kept, clock: authtest.StoppedClock(), http: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}
	t.Cleanup(r.http.CloseIdleConnections)
	r.limits = upload.Limits{
		PartSize: max(kept.MinPart(), 1000), FileSize: 1 << 40, OpenBytes: 1 << 41, Files: 10, OpenSessions: 10,
		URLLife: time.Hour, SessionLife: 24 * time.Hour,
	}
	r.service = r.replica(r.limits)
	r.ada = r.user("ada")
	return r
}

// replica is another server on the same stores.
func (r *rig) replica(l upload.Limits) *upload.Service {
	return upload.New(upload.Options{Store: r.store, Objects: r.objects, Now: r.clock.Now, Log: slog.New(slog.DiscardHandler), Limits: l})
}

func (r *rig) user(name string) quern.Principal {
	r.t.Helper()
	return quern.Principal{User: storetest.User(r.t, r.store, name)}
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// newFS makes an object store in files, served over HTTP.
func newFS(t *testing.T) objects {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	made, err := fs.New(fs.Options{Dir: t.TempDir(), PublicURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle(fs.PathPrefix, made.Handler())
	return made
}

// newS3 makes a bucket of its own: one test's upkeep would take another's uploads
// for orphans.
func newS3(t *testing.T, g *blobtest.Gateway) objects {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	made, err := s3.New(s3.Options{
		Endpoint: g.Endpoint, Bucket: "b" + quern.NewID[string](), Region: g.Region, AccessKeyID: g.AccessKey, SecretAccessKey: g.SecretKey, Transport: transport,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := made.MakeBucket(t.Context()); err != nil {
		t.Fatalf("MakeBucket() = %v, want nil", err)
	}
	return made
}

// each runs the cases on files with SQLite and on S3 with PostgreSQL.
func each(t *testing.T, cases map[string]func(*testing.T, *rig)) {
	gateway := blobtest.StartGateway(t)
	for name, run := range cases {
		t.Run(name+"/files", func(t *testing.T) {
			t.Parallel()
			run(t, on(t, storetest.SQLite(t), newFS(t)))
		})
		t.Run(name+"/s3", func(t *testing.T) {
			t.Parallel()
			run(t, on(t, storetest.Postgres(t), newS3(t, gateway)))
		})
	}
}

// content is random bytes that fill some parts and a bit of another.
func (r *rig) content(parts int) []byte {
	data := make([]byte, int64(parts)*r.limits.PartSize+123)
	_, _ = rand.Read(data) // never fails
	return data
}

// prepare opens a session for files of the given contents.
func (r *rig) prepare(contents ...[]byte) (quern.UploadSession, []upload.Ticket) {
	r.t.Helper()
	files := make([]upload.NewFile, len(contents))
	for i, c := range contents {
		files[i] = upload.NewFile{Name: "file", Size: int64(len(c))}
	}
	session, tickets, err := r.service.Prepare(r.t.Context(), r.ada, files)
	r.must(err)
	return session, tickets
}

// put sends a body and returns the status and the ETag.
func (r *rig) put(method, url string, body []byte) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), method, url, bytes.NewReader(body))
	r.must(err)
	resp, err := r.http.Do(req)
	if err != nil {
		return 0, "" // refused so early that the body could not be sent
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // a cut answer is judged by its status
	return resp.StatusCode, resp.Header.Get("ETag")
}

// part is the bytes of a part of a file.
func part(f quern.UploadFile, content []byte, number int) []byte {
	offset, size := f.Part(number)
	return content[offset : offset+size]
}

// send sends the parts with the numbers, all when there are none.
func (r *rig) send(t upload.Ticket, content []byte, numbers ...int) []blob.Part {
	r.t.Helper()
	var sent []blob.Part
	for _, u := range t.URLs {
		if len(numbers) > 0 && u.Number != numbers[0] {
			continue
		}
		if len(numbers) > 0 {
			numbers = numbers[1:]
			if len(numbers) == 0 {
				numbers = []int{-1}
			}
		}
		status, tag := r.put("PUT", u.URL, part(t.File, content, u.Number))
		if status != 200 || tag == "" {
			r.t.Fatalf("PUT part %d = %d %q, want 200 and an ETag", u.Number, status, tag)
		}
		sent = append(sent, blob.Part{Number: u.Number, ETag: tag})
	}
	return sent
}

// finish finishes a file with the parts that have arrived.
func (r *rig) finish(f quern.UploadFile, parts []blob.Part) (quern.UploadSession, error) {
	return r.service.Finish(r.t.Context(), r.ada, f.Session, f.ID, upload.Claim{UploadID: f.UploadID, Key: f.Key, Parts: parts})
}

// holds wants the object of a file to be exactly content.
func (r *rig) holds(f quern.UploadFile, content []byte) {
	r.t.Helper()
	body, err := r.objects.Open(r.t.Context(), f.Key, 0, -1)
	r.must(err)
	defer body.Close()
	digest := sha256.New()
	n, err := io.Copy(digest, body)
	if want := sha256.Sum256(content); err != nil || !bytes.Equal(digest.Sum(nil), want[:]) {
		r.t.Errorf("object of %s has %d bytes, %v, want the %d that were sent", f.ID, n, err, len(content))
	}
}

// stored counts what the object store has of a session: open uploads and objects.
func (r *rig) stored(id quern.SessionID) (uploads, objects int) {
	r.t.Helper()
	prefix := upload.Prefix + string(id)
	for _, err := range r.objects.Uploads(r.t.Context(), prefix) {
		r.must(err)
		uploads++
	}
	for _, err := range r.objects.List(r.t.Context(), prefix) {
		r.must(err)
		objects++
	}
	return uploads, objects
}

var wantKind = authtest.WantKind
