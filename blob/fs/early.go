package fs

// earlyBytes is how much of a file is written before the disk is asked to begin with it.
const earlyBytes = 1 << 20

// earlyWriter writes to a file from a place on. The disk begins with what was
// written while more comes in, so that the sync at the end has little to wait for.
type earlyWriter struct {
	file      File
	at, begun int64
}

func (w *earlyWriter) Write(b []byte) (int, error) {
	n, err := w.file.WriteAt(b, w.at)
	w.at += int64(n)
	if w.at-w.begun >= earlyBytes {
		beginSync(w.file, w.begun, w.at-w.begun)
		w.begun = w.at
	}
	return n, err
}
