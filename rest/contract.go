package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"

	"quern/api"
	"quern/door"
)

// servedContract is the contract as rendered for one authorization URL. That
// URL can change while the server runs, when the identity provider is found
// only later.
type servedContract struct {
	authorizationURL string
	body             []byte
	etag             string
}

func (h *handler) serveContract(w http.ResponseWriter, r *http.Request) {
	door.SetOperation(r.Context(), "openapi.json")
	c, err := h.rendered(h.AuthorizationURL())
	if err != nil {
		door.WriteError(w, r, err)
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Cache-Control", "no-cache")
	header.Set("ETag", c.etag)
	if r.Header.Get("If-None-Match") == c.etag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(c.body) // the client may be gone
}

func (h *handler) rendered(authorizationURL string) (servedContract, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.contract.body != nil && h.contract.authorizationURL == authorizationURL {
		return h.contract, nil
	}
	body, err := api.JSON(h.PublicURL, authorizationURL)
	if err != nil {
		return servedContract{}, err
	}
	sum := sha256.Sum256(body)
	h.contract = servedContract{authorizationURL, body, `"` + hex.EncodeToString(sum[:8]) + `"`}
	return h.contract, nil
}
