package format

import (
	"errors"
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
)

// pieceBytes is how much of a file is looked at together.
const pieceBytes = 1 << 20

// Piece is some bytes of a file.
type Piece struct {
	Number int64 // from 0
	Bytes  []byte
	More   []byte // the same, and up to so many bytes behind it as were asked for
}

// EachPiece shows a file in pieces of a mebibyte, side by side and in no order, until see
// fails, and returns how many there are. The last is shorter than the others, empty maybe.
func EachPiece(path string, more int, see func(Piece) error) (pieces int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	pieces = info.Size()/pieceBytes + 1
	workers := min(int64(runtime.GOMAXPROCS(0)), pieces)
	errs := make([]error, workers)
	var taken atomic.Int64
	var working sync.WaitGroup
	for w := range errs {
		working.Go(func() {
			buf := make([]byte, pieceBytes+more)
			for n := taken.Add(1) - 1; n < pieces && errs[w] == nil; n = taken.Add(1) - 1 {
				errs[w] = showPiece(f, n, buf, see)
			}
			if errs[w] != nil {
				taken.Store(pieces) // the others stop
			}
		})
	}
	working.Wait()
	return pieces, errors.Join(errs...)
}

// showPiece reads a piece into buf and shows it.
func showPiece(f *os.File, number int64, buf []byte, see func(Piece) error) error {
	n, err := f.ReadAt(buf, number*pieceBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return see(Piece{Number: number, Bytes: buf[:min(n, pieceBytes)], More: buf[:n]})
}
