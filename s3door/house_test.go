package s3door_test

import (
	"context"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"github.com/minio/minio-go/v7/pkg/signer"
	"go.uber.org/goleak"

	"quern"
	"quern/blob"
	"quern/blob/fs"
	"quern/s3door"
	"quern/server"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	keyID, secret, token = "QUERN0123456789ABCDE", "a-secret", "a.token"
	folder               = "tables/7/"
	segment              = folder + "0.parquet"
	content              = "0123456789abcdef"
)

// keys has one key, which may fail.
type keys struct{ err error }

func (k *keys) Open(_ context.Context, id, given string) (string, string, error) {
	if id != keyID || given != token {
		return "", "", quern.E(quern.Unauthentic, quern.CodeUnauthorized, "the key of a stranger")
	}
	return secret, folder, k.err
}

// guard fails the test when the store is asked for what lies outside the folder.
type guard struct {
	blob.Store
	t testing.TB
}

func (g guard) check(key string) {
	if !strings.HasPrefix(key, folder) || blob.CheckKey(key+"x") != nil {
		g.t.Errorf("the store was asked for %q, want keys below %s only", key, folder)
	}
}

func (g guard) Stat(ctx context.Context, key string) (blob.Info, error) {
	g.check(key)
	return g.Store.Stat(ctx, key)
}

func (g guard) Open(ctx context.Context, key string, offset, length int64) (io.ReadCloser, error) {
	g.check(key)
	return g.Store.Open(ctx, key, offset, length)
}

// house is a face over a folder store, in a server.
type house struct {
	t       testing.TB
	url     string
	objects blob.Store
	keys    *keys
	client  *http.Client
}

func newHouse(t testing.TB) *house {
	t.Helper()
	objects, err := fs.New(fs.Options{Dir: t.TempDir()})
	must(t, err)
	h := newHouseOver(t, guard{objects, t})
	for key, body := range map[string]string{
		segment: content, folder + "empty": "", folder + "metadata/a b+ü=&.avro": "odd", folder + "metadata/1.json": "{}",
		folder + "metadata/2.json": "{}", "tables/7x/0.parquet": "a neighbour's", "tables/8/0.parquet": "another's",
	} {
		must(t, objects.Put(t.Context(), key, strings.NewReader(body), int64(len(body))))
	}
	return h
}

func newHouseOver(t testing.TB, objects blob.Store) *house {
	t.Helper()
	h := &house{t: t, objects: objects, keys: &keys{}, client: &http.Client{Transport: &http.Transport{DisableCompression: true}}}
	face, err := s3door.New(s3door.Options{Keys: h.keys, Objects: objects, PublicURL: "https://quern.example"})
	must(t, err)
	mux := http.NewServeMux()
	mux.Handle(s3door.Path, face)
	mux.Handle(s3door.Path+"/", face)
	around, err := server.New(server.Options{Handler: mux})
	must(t, err)
	here := httptest.NewServer(around)
	t.Cleanup(here.Close)
	t.Cleanup(h.client.CloseIdleConnections)
	h.url = here.URL
	return h
}

// minio returns a client of the face with a key.
func (h *house) minio(id, secret, token string) *minio.Client {
	h.t.Helper()
	transport := &http.Transport{DisableCompression: true}
	h.t.Cleanup(transport.CloseIdleConnections)
	c, err := minio.New(strings.TrimPrefix(h.url, "http://"), &minio.Options{
		Creds: credentials.NewStaticV4(id, secret, token), BucketLookup: minio.BucketLookupPath, Transport: transport, MaxRetries: 1,
	})
	must(h.t, err)
	return c
}

// request makes a request of what follows the server's address, with headers in pairs.
func (h *house) request(method, target string, headers ...string) *http.Request {
	h.t.Helper()
	r, err := http.NewRequestWithContext(h.t.Context(), method, h.url+target, nil)
	must(h.t, err)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// signed is request, signed with the key.
func (h *house) signed(method, target string, headers ...string) *http.Request {
	h.t.Helper()
	r := h.request(method, target, headers...)
	if r.Header.Get("X-Amz-Content-Sha256") == "" {
		r.Header.Set("X-Amz-Content-Sha256", "UNSIGNED-PAYLOAD")
	}
	return signer.SignV4(*r, keyID, secret, token, "anywhere")
}

// reply is an answer, and the error that it tells.
type reply struct {
	status int
	header http.Header
	body   string
	fault  struct {
		XMLName                 xml.Name `xml:"Error"`
		Code, Message, Resource string
		RequestID               string `xml:"RequestId"`
	}
}

func (h *house) do(r *http.Request) reply {
	h.t.Helper()
	res, err := h.client.Do(r)
	must(h.t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(h.t, err)
	got := reply{status: res.StatusCode, header: res.Header, body: string(body)}
	if got.status >= 400 && r.Method != http.MethodHead {
		if err := xml.Unmarshal(body, &got.fault); err != nil || res.Header.Get("Content-Type") != "application/xml" {
			h.t.Errorf("%s %s = %d %s, want an error of S3 (%v)", r.Method, r.URL, got.status, body, err)
		}
	}
	if got.header.Get("X-Amz-Request-Id") == "" {
		h.t.Errorf("%s %s has no request id", r.Method, r.URL)
	}
	return got
}

// wants holds an answer against a status and the code of an error.
func (h *house) wants(what string, got reply, status int, code string) {
	h.t.Helper()
	if got.status != status || got.fault.Code != code {
		h.t.Errorf("%s = %d %s, want %d %s", what, got.status, got.body, status, code)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func ago(d time.Duration) string { return time.Now().Add(-d).UTC().Format(http.TimeFormat) }
