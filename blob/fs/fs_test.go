package fs_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"go.uber.org/goleak"

	"quern/blob/blobtest"
	"quern/blob/fs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve opens a store in dir and serves its parts under the path.
func serve(t *testing.T, o fs.Options, path string) *fs.Store {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewServer(http.StripPrefix(path, mux))
	t.Cleanup(server.Close)
	o.PublicURL = server.URL + path
	s, err := fs.New(o)
	if err != nil {
		t.Fatalf("New(%+v) = %v, want nil", o, err)
	}
	mux.Handle(fs.PathPrefix, s.Handler())
	return s
}

func TestSuite(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) blobtest.Harness {
		return blobtest.Harness{Store: serve(t, fs.Options{Dir: t.TempDir()}, "")}
	})
}
