package duplex_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quern/test/duplex"
)

// A body is still there, at its end, after the answer has begun.
func TestBodyOutlivesTheBeginningOfTheAnswer(t *testing.T) {
	t.Parallel()
	read := make(chan error, 1)
	late := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.CopyN(io.Discard, r.Body, r.ContentLength); err != nil {
			t.Errorf("reading the body = %v, want nil", err)
		}
		_, _ = io.WriteString(w, "answered")
		_ = http.NewResponseController(w).Flush() // whether it has left is what the test finds out
		_, err := r.Body.Read(make([]byte, 1))
		read <- err
	})
	for _, c := range []struct {
		name    string
		handler http.Handler
		want    error
	}{
		{"in full duplex", duplex.Handler(late), io.EOF},
		{"as net/http does it", late, http.ErrBodyReadAfterClose},
	} {
		server := httptest.NewServer(c.handler)
		t.Cleanup(server.Close)
		res, err := server.Client().Post(server.URL, "text/plain", strings.NewReader("asked"))
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if got := <-read; !errors.Is(got, c.want) {
			t.Errorf("%s, the end of the body behind the answer = %v, want %v", c.name, got, c.want)
		}
	}
}
