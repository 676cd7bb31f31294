package quern

import (
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// LogText is the text of an error as the log may hold it. What the error says of
// the host's files, and what drivers and engines say in their own words, which may
// be values out of people's rows, is left out; what is left tells an operator which
// part failed and how.
//
// An error type whose text may hold such things has a method LogText of its own.
func LogText(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	for _, hidden := range confidential(err) {
		text = strings.ReplaceAll(text, hidden.text, hidden.shown)
	}
	return text
}

// hiding is a text and what is shown in its place.
type hiding struct{ text, shown string }

// confidential finds the errors in a tree of errors whose texts are not for the log.
func confidential(err error) []hiding {
	if shown, ok := shownText(err); ok {
		return []hiding{{err.Error(), shown}}
	}
	var all []hiding
	switch e := err.(type) { //nolint:errorlint // the tree is walked node by node
	case interface{ Unwrap() error }:
		if inner := e.Unwrap(); inner != nil {
			all = confidential(inner)
		}
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			all = append(all, confidential(inner)...)
		}
	}
	return all
}

// shownText returns what is shown of one error; ok is false when its own text may be.
func shownText(err error) (shown string, ok bool) {
	switch e := err.(type) { //nolint:errorlint // confidential walks the tree
	case interface{ LogText() string }:
		return e.LogText(), true
	case *fs.PathError:
		return e.Op + ": " + LogText(e.Err), true
	case *os.LinkError:
		return e.Op + ": " + LogText(e.Err), true
	case *exec.Error:
		return "exec " + filepath.Base(e.Name) + ": " + LogText(e.Err), true
	case *url.Error:
		return e.Op + " " + hostOf(e.URL) + ": " + LogText(e.Err), true
	case *net.OpError:
		if strings.HasPrefix(e.Net, "unix") {
			return e.Op + " " + e.Net + ": " + LogText(e.Err), true
		}
	}
	return "", false
}

// hostOf is an address without what may be a secret in it.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "an address"
	}
	return u.Scheme + "://" + u.Host
}
