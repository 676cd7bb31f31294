package rest_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quern/rest"
)

// send asks for a token with a body, without a network.
func send(t testing.TB, h http.Handler, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", tokenPath, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer ada")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// A body of values that are each two bytes long takes fifty times its size once
// it is parsed, so values are counted as well as bytes.
func TestManySmallValuesAreTooLarge(t *testing.T) {
	t.Parallel()
	auth := &service{}
	h := rest.New(rest.Deps{Auth: auth, Tokens: auth, Usage: auth})
	got := send(t, h, `{"name":"x","y":[`+strings.Repeat("0,", 15<<20)+`0]}`)
	if got.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("createToken with 15 million values = %d %s, want 413", got.Code, got.Body)
	}
	if got := send(t, h, `{"name":"x","y":[`+strings.Repeat("0,", 900_000)+`0]}`); got.Code != http.StatusOK {
		t.Errorf("createToken with 900,000 values = %d %s, want 200", got.Code, got.Body)
	}
}

func BenchmarkBody(b *testing.B) {
	auth := &service{}
	h := rest.New(rest.Deps{Auth: auth, Tokens: auth, Usage: auth})
	for name, body := range map[string]string{
		"small":  `{"name":"x","accessRestrictedTo":[{"username":"ada","namespace":"harbour"}]}`,
		"values": `{"name":"x","y":[` + strings.Repeat("0,", 900_000) + `0]}`,
		"text":   `{"name":"x","y":"` + strings.Repeat("y", 31<<20) + `"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				if got := send(b, h, body); got.Code != http.StatusOK {
					b.Fatalf("createToken = %d %s", got.Code, got.Body)
				}
			}
		})
	}
}
