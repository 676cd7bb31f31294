package quern_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"quern"
)

// rowError is an error that says a value.
type rowError struct{ value string }

func (e rowError) Error() string { return "cannot convert " + e.value }
func (rowError) LogText() string { return "cannot convert a value" }

func TestLogTextHidesPathsAndValues(t *testing.T) {
	t.Parallel()
	path := &fs.PathError{Op: "open", Path: "/srv/data/objects/x", Err: syscall.ENOENT}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("plain"), "plain"},
		{path, "open: no such file or directory"},
		{fmt.Errorf("blob: part 3: %w", path), "blob: part 3: open: no such file or directory"},
		{&os.LinkError{Op: "rename", Old: "/a/b", New: "/c/d", Err: syscall.EXDEV}, "rename: invalid cross-device link"},
		{&exec.Error{Name: "/opt/tools/unpack", Err: exec.ErrNotFound}, "exec unpack: executable file not found in $PATH"},
		{&url.Error{Op: "Put", URL: "https://ada:pw@s3.example.org/b/k?X-Amz-Signature=abc", Err: syscall.ECONNREFUSED},
			"Put https://s3.example.org: connection refused"},
		{&net.OpError{Op: "dial", Net: "unix", Addr: &net.UnixAddr{Name: "/run/pg/.s", Net: "unix"}, Err: syscall.ENOENT},
			"dial unix: no such file or directory"},
		{quern.E(quern.Invalid, quern.CodeInvalid, "a value does not fit").Because(rowError{"secret"}),
			"VALIDATION_FAILED: a value does not fit: cannot convert a value"},
		{errors.Join(rowError{"one"}, path), "cannot convert a value\nopen: no such file or directory"},
	} {
		if got := quern.LogText(tt.err); got != tt.want {
			t.Errorf("LogText(%v) = %q, want %q", tt.err, got, tt.want)
		}
	}
}
