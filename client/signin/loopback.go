package signin

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"
)

// Loopback waits on this machine for the browser to come back.
type Loopback struct{ listener net.Listener }

// Listen begins to wait, on a port of this machine; 0 takes any that is free.
func Listen(ctx context.Context, port int) (*Loopback, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("the port %d is in use: name another one, or none for any that is free", port)
	}
	if err != nil {
		return nil, err
	}
	return &Loopback{l}, nil
}

// Close stops waiting.
func (b *Loopback) Close() error { return b.listener.Close() }

// Redirect is the address that the browser comes back to.
func (b *Loopback) Redirect() string { return "http://" + b.listener.Addr().String() + "/callback" }

// outcome is what a browser's way back came to.
type outcome struct {
	login Login
	err   error
}

// Await serves the browser until a sign-in has come to its end, or ctx has. Requests that
// belong to another sign-in are turned away and change nothing. accept has the last word
// on a sign-in, and the browser is told what it says.
func (b *Loopback) Await(ctx context.Context, f *Flow, accept func(context.Context, Login) error) (Login, error) {
	done := make(chan outcome, 1)
	handler := func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/callback" || r.Host != b.listener.Addr().String() {
			tell(w, http.StatusNotFound, "There is nothing here.")
			return
		}
		l, err := f.Finish(ctx, r.URL.Query())
		if errors.Is(err, errState) {
			tell(w, http.StatusBadRequest, "This answer does not belong to the sign-in that the command line waits for.")
			return
		}
		if err == nil {
			err = accept(ctx, l)
		}
		text, status := "You are signed in at the command line. You can close this page.", http.StatusOK
		if err != nil {
			text, status = "You are not signed in at the command line: "+err.Error(), http.StatusForbidden
		}
		tell(w, status, text)
		select {
		case done <- outcome{l, err}:
		default: // it has ended already
		}
	}
	server := &http.Server{Handler: http.HandlerFunc(handler), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 64 << 10}
	go func() { _ = server.Serve(b.listener) }()
	defer func() {
		// The browser has still to be told.
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = server.Shutdown(ending)
		_ = server.Close()
	}()
	select {
	case o := <-done:
		return o.login, o.err
	case <-ctx.Done():
		return Login{}, ctx.Err()
	}
}

func tell(w http.ResponseWriter, status int, text string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
	h.Set("Cache-Control", "no-store")
	h.Set("Referrer-Policy", "no-referrer")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Quern</title><p>"+html.EscapeString(text)+"</p></html>\n")
}
