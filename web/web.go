// Package web owns the pages that the server renders by itself: the landing
// page, the reference of the contract, and the stylesheet they share with the
// login page.
//
// It never runs a script, never asks an outside host for anything and never
// reads a caller's data: every page is made once from what is in the binary.
// The failure it is built around is a reference that no longer says what the
// server does, so the reference is made from the contract that the server
// enforces and from nothing else.
package web

import (
	"embed"
	"net/http"
)

//go:embed assets
var assets embed.FS

// Assets serves the bundled files under /assets/.
func Assets() http.Handler {
	files := http.FileServerFS(assets)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "public, max-age=300")
		files.ServeHTTP(w, r)
	})
}
