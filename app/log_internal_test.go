package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"quern/config"
)

func TestLogHoldsNoPathsOfErrors(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	log := newLog(&b, &config.Config{Data: "/srv/quern", LogFormat: "json"})
	lost := &fs.PathError{Op: "open", Path: "/srv/quern/objects/ab/cd", Err: syscall.ENOENT}
	log.Error("lost", "error", fmt.Errorf("blob: %w", lost), "took", 1500*time.Millisecond)
	log.Error("told", "error", errors.New("no room in /srv/quern/temp"))
	got := b.String()
	for _, want := range []string{`"error":"blob: open: no such file or directory"`, `"took":"1.5s"`, `"error":"no room in data/temp"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the log is %s, want %s in it", got, want)
		}
	}
	if strings.Contains(got, "/srv") {
		t.Errorf("the log is %s, want no path of the host", got)
	}
}
