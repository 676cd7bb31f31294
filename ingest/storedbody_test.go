package ingest_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"
	"testing/iotest"

	"quern/ingest"
)

// A stored body is read as it came, again and again, whether it is in memory, in a file, or both, and
// leaves nothing behind.
func TestStoredBodiesAreReadAsTheyCame(t *testing.T) {
	t.Parallel()
	const page = ingest.BodyPage
	text := bytes.Repeat([]byte("a body of some length\n"), (ingest.MostPages*page+page/2)/22)
	cut := errors.New("cut off")
	for _, size := range []int{0, 1, page - 1, page, page + 1, 3 * page, len(text)} {
		for _, ended := range []error{nil, cut} {
			dir := t.TempDir()
			var removes []func()
			for range ingest.MostHeld + 1 { // the last has no place in memory
				var in io.Reader = bytes.NewReader(text[:size])
				if ended != nil {
					in = io.MultiReader(in, iotest.ErrReader(ended))
				}
				whole, remove, err := ingest.StoreBody(dir, iotest.HalfReader(in))
				if err != nil {
					t.Fatal(err)
				}
				removes = append(removes, remove)
				for range 2 {
					r, err := whole()
					if err != nil {
						t.Fatal(err)
					}
					if got, err := io.ReadAll(r); !bytes.Equal(got, text[:size]) || !errors.Is(err, ended) {
						t.Errorf("a stored body of %d bytes that ends with %v = %d bytes, %v, want it as it came", size, ended, len(got), err)
					}
				}
			}
			for _, remove := range removes {
				remove()
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("a stored body of %d bytes left %v, %v, want nothing", size, left, err)
			}
		}
	}
}
