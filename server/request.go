package server

import (
	"net/http"

	"github.com/google/uuid"
)

// requestIDHeader carries a request's id, both ways.
const requestIDHeader = "X-Request-Id"

// requestIDFor takes over the client's id when it is safe to log, or makes one.
func requestIDFor(h http.Header) string {
	if id := h.Get(requestIDHeader); isSafeID(id) {
		return id
	}
	return uuid.Must(uuid.NewV7()).String()
}

func isSafeID(id string) bool {
	if len(id) == 0 || len(id) > 128 {
		return false
	}
	for i := range len(id) {
		c := id[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}
