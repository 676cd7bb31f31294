package fs_test

import (
	"errors"
	"io"
	iofs "io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"quern/blob/fs"
)

// errCut is what every operation returns once the power is cut.
var errCut = errors.New("power cut")

// node is a file or folder. What lasts is kept apart from what is seen.
type node struct {
	dir            bool
	data, lasting  []byte
	names, durable map[string]*node

	movedTo *node // the folder that a file was last renamed into, and its name there
	movedAs string
}

func newFolder() *node {
	return &node{dir: true, names: map[string]*node{}, durable: map[string]*node{}}
}

// flakyDisk is a file system in memory that forgets, when its power is cut, the
// bytes of files and the names in folders that were not synced. It is crueller
// than real ones: a rename lasts in each of its two folders apart, though by
// chance alone never in the old one before the new one.
type flakyDisk struct {
	mu      sync.Mutex
	root    *node
	left    int // operations until the cut; negative is never
	count   int
	failing int // the operation that fails, by its count; 0 is none
}

func newFlakyDisk() *flakyDisk {
	d := &flakyDisk{root: newFolder(), left: -1}
	d.root.names["data"] = newFolder()
	d.root.durable["data"] = d.root.names["data"]
	return d
}

// cutAfter lets n more operations pass.
func (d *flakyDisk) cutAfter(n int) { d.mu.Lock(); d.left = n; d.mu.Unlock() }

// failAt lets one operation fail, by its count.
func (d *flakyDisk) failAt(n int) { d.mu.Lock(); d.failing = n; d.mu.Unlock() }

// operations is how many changes have been asked for.
func (d *flakyDisk) operations() int { d.mu.Lock(); defer d.mu.Unlock(); return d.count }

// resume lets operations pass again, with nothing lost.
func (d *flakyDisk) resume() { d.cutAfter(-1) }

// restart brings the power back. Of the names and bytes that were not synced,
// chance lets each one last with the probability luck.
func (d *flakyDisk) restart(luck float64, chance *rand.Rand) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.left = -1
	all := map[*node]bool{}
	d.root.collect(all)
	for n := range all {
		n.keepNew(luck, chance)
	}
	for n := range all {
		n.dropOld(luck, chance)
	}
	for n := range all {
		n.names = maps.Clone(n.durable)
	}
}

func (n *node) collect(all map[*node]bool) {
	if all[n] {
		return
	}
	all[n] = true
	for _, names := range []map[string]*node{n.names, n.durable} {
		for _, child := range names {
			child.collect(all)
		}
	}
}

// keepNew lets names and bytes that were added last, by chance.
func (n *node) keepNew(luck float64, chance *rand.Rand) {
	for name, child := range n.names {
		if chance.Float64() < luck {
			n.durable[name] = child
		}
	}
	if extra := len(n.data) - len(n.lasting); extra > 0 && chance.Float64() < luck {
		n.lasting = n.data[:len(n.lasting)+chance.IntN(extra+1)]
	}
	n.data, n.lasting = slices.Clone(n.lasting), slices.Clone(n.lasting)
}

// dropOld lets the loss of names last, by chance.
func (n *node) dropOld(luck float64, chance *rand.Rand) {
	for name, child := range n.durable {
		if _, still := n.names[name]; still || chance.Float64() >= luck {
			continue
		}
		if child.movedTo == nil || child.movedTo.durable[child.movedAs] == child {
			delete(n.durable, name)
		}
	}
}

// step counts an operation that changes something, or refuses it.
func (d *flakyDisk) step() error {
	d.count++
	if d.count == d.failing {
		return syscall.EIO
	}
	if d.left == 0 {
		return errCut
	}
	if d.left > 0 {
		d.left--
	}
	return nil
}

func (d *flakyDisk) find(name string) (*node, error) {
	at := d.root
	for part := range strings.SplitSeq(strings.Trim(name, "/"), "/") {
		if part == "" {
			continue
		}
		if !at.dir {
			return nil, &iofs.PathError{Op: "find", Path: name, Err: syscall.ENOTDIR}
		}
		next, ok := at.names[part]
		if !ok {
			return nil, &iofs.PathError{Op: "find", Path: name, Err: syscall.ENOENT}
		}
		at = next
	}
	return at, nil
}

func (d *flakyDisk) parent(name string) (*node, string, error) {
	dir, err := d.find(filepath.Dir(name))
	if err == nil && !dir.dir {
		err = syscall.ENOTDIR
	}
	return dir, filepath.Base(name), err
}

func (d *flakyDisk) Open(name string, flag int) (fs.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	switch {
	case err == nil && flag&os.O_EXCL != 0:
		return nil, iofs.ErrExist
	case errors.Is(err, iofs.ErrNotExist) && flag&os.O_CREATE != 0:
		dir, base, err := d.parent(name)
		if err := errors.Join(err, d.step()); err != nil {
			return nil, err
		}
		n = &node{}
		dir.names[base] = n
	case err != nil:
		return nil, err
	case flag&os.O_TRUNC != 0:
		if err := d.step(); err != nil {
			return nil, err
		}
		n.data = nil
	}
	return &flakyFile{disk: d, node: n, name: name, append: flag&os.O_APPEND != 0}, nil
}

func (d *flakyDisk) Mkdir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	dir, base, err := d.parent(name)
	if err != nil {
		return err
	}
	if _, taken := dir.names[base]; taken {
		return iofs.ErrExist
	}
	if err := d.step(); err != nil {
		return err
	}
	dir.names[base] = newFolder()
	return nil
}

func (d *flakyDisk) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(from)
	if err != nil {
		return err
	}
	oldDir, oldBase, _ := d.parent(from)
	newDir, newBase, err := d.parent(to)
	if err != nil {
		return err
	}
	if there, ok := newDir.names[newBase]; ok && there.dir {
		return iofs.ErrExist
	}
	if err := d.step(); err != nil {
		return err
	}
	if newDir.names[newBase] == n {
		return nil
	}
	newDir.names[newBase] = n
	delete(oldDir.names, oldBase)
	n.movedTo, n.movedAs = newDir, newBase
	return nil
}

func (d *flakyDisk) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return err
	}
	if n.dir && len(n.names) > 0 {
		return syscall.ENOTEMPTY
	}
	if err := d.step(); err != nil {
		return err
	}
	dir, base, _ := d.parent(name)
	delete(dir.names, base)
	return nil
}

func (d *flakyDisk) SyncDir(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return err
	}
	if err := d.step(); err != nil {
		return err
	}
	n.durable = map[string]*node{}
	for name, child := range n.names {
		n.durable[name] = child
	}
	return nil
}

func (d *flakyDisk) Stat(name string) (iofs.FileInfo, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return nil, err
	}
	return flakyInfo{filepath.Base(name), n.dir, int64(len(n.data))}, nil
}

func (d *flakyDisk) ReadDir(name string) ([]iofs.DirEntry, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n, err := d.find(name)
	if err != nil {
		return nil, err
	}
	var all []iofs.DirEntry
	for name, child := range n.names {
		all = append(all, iofs.FileInfoToDirEntry(flakyInfo{name, child.dir, int64(len(child.data))}))
	}
	slices.SortFunc(all, func(a, b iofs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, nil
}

type flakyInfo struct {
	name string
	dir  bool
	size int64
}

func (i flakyInfo) Name() string       { return i.name }
func (i flakyInfo) Size() int64        { return i.size }
func (i flakyInfo) ModTime() time.Time { return time.Now() }
func (i flakyInfo) IsDir() bool        { return i.dir }
func (i flakyInfo) Sys() any           { return nil }
func (i flakyInfo) Mode() iofs.FileMode {
	if i.dir {
		return iofs.ModeDir | 0o700
	}
	return 0o600
}

type flakyFile struct {
	disk   *flakyDisk
	node   *node
	name   string
	append bool
	at     int64
}

func (f *flakyFile) Stat() (iofs.FileInfo, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	return flakyInfo{filepath.Base(f.name), f.node.dir, int64(len(f.node.data))}, nil
}

func (f *flakyFile) Sync() error {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.step(); err != nil {
		return err
	}
	f.node.lasting = slices.Clone(f.node.data)
	return nil
}

func (f *flakyFile) Close() error { return nil }

func (f *flakyFile) ReadAt(p []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if at >= int64(len(f.node.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.node.data[at:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *flakyFile) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

func (f *flakyFile) WriteAt(p []byte, at int64) (int, error) {
	f.disk.mu.Lock()
	defer f.disk.mu.Unlock()
	if err := f.disk.step(); err != nil {
		return 0, err
	}
	if short := at + int64(len(p)) - int64(len(f.node.data)); short > 0 {
		f.node.data = append(f.node.data, make([]byte, short)...)
	}
	copy(f.node.data[at:], p)
	return len(p), nil
}

func (f *flakyFile) Write(p []byte) (int, error) {
	if f.append {
		info, _ := f.Stat()
		f.at = info.Size()
	}
	n, err := f.WriteAt(p, f.at)
	f.at += int64(n)
	return n, err
}

func (f *flakyFile) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, errors.ErrUnsupported
	}
	f.at = offset
	return offset, nil
}
