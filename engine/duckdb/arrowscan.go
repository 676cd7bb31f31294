package duckdb

/*
#include <stdlib.h>
int duckdb_arrow_scan(void *connection, const char *view, void *stream);
*/
import "C"

import (
	"errors"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// showStream makes a view of a stream in the session, which must not outlive it. The
// bindings have this only behind a build tag.
func (c *session) showStream(view string, stream *cdata.CArrowArrayStream) error {
	name := C.CString(view)
	defer C.free(unsafe.Pointer(name))
	if C.duckdb_arrow_scan(c.conn.Ptr, name, unsafe.Pointer(stream)) != 0 {
		return errors.New("duckdb: cannot show a stream")
	}
	return nil
}
