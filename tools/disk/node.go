package main

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
	"golang.org/x/sys/unix"
)

// node is a file or a folder. What it does not change itself, it passes on.
type node struct {
	fs.LoopbackNode
	disk *disk
	real uint64 // its inode in the folder below
}

func (n *node) at(name string) string {
	return filepath.Join(n.disk.files, n.Path(n.Root()), name)
}

// inode is what a file or folder of the folder below is known by: its number there, and
// when it was made. The number alone soon means another file, and the kernel, which
// still asks for the former one, would be told that the new one is gone.
func (n *node) inode(ctx context.Context, path string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	var st syscall.Stat_t
	if err := syscall.Lstat(path, &st); err != nil {
		return nil, fs.ToErrno(err)
	}
	var made unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME, &made); err != nil {
		return nil, fs.ToErrno(err)
	}
	const spread = 0x9e3779b97f4a7c15 // so that times that are near make numbers that are not
	at := uint64(made.Btime.Sec)*1e9 + uint64(made.Btime.Nsec)
	out.FromStat(&st)
	found := &node{LoopbackNode: fs.LoopbackNode{RootData: n.RootData}, disk: n.disk, real: st.Ino}
	return n.NewInode(ctx, found, fs.StableAttr{Mode: st.Mode, Gen: 1, Ino: st.Ino ^ at*spread}), 0
}

// Lookup finds a name.
func (n *node) Lookup(ctx context.Context, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	return n.inode(ctx, n.at(name), out)
}

// Statfs tells of no room while there is none.
func (n *node) Statfs(ctx context.Context, out *fuse.StatfsOut) syscall.Errno {
	errno := n.LoopbackNode.Statfs(ctx, out)
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if n.disk.full {
		out.Bfree, out.Bavail = 0, 0
	}
	return errno
}

// Create makes a file.
func (n *node) Create(
	ctx context.Context, name string, flags, mode uint32, out *fuse.EntryOut,
) (inode *fs.Inode, fh fs.FileHandle, fuseFlags uint32, errno syscall.Errno) {
	if errno := n.disk.suffer(true); errno != 0 {
		return nil, nil, 0, errno
	}
	path := n.at(name)
	_, err := os.Lstat(path)
	fd, openErr := syscall.Open(path, int(flags)&^syscall.O_APPEND|syscall.O_CREAT|syscall.O_CLOEXEC, mode)
	if openErr != nil {
		return nil, nil, 0, fs.ToErrno(openErr)
	}
	if os.IsNotExist(err) {
		n.disk.made(path)
	}
	if inode, errno = n.inode(ctx, path, out); errno != 0 {
		_ = syscall.Close(fd) // somebody took the name away again
		return nil, nil, 0, errno
	}
	return inode, handle{fs.NewLoopbackFile(fd).(calls)}, 0, 0
}

// settled does what needs a name of a file that is there. A file is known by the name that it got
// last, for a moment also when another call has just taken that one away: then it is done again.
func settled(do func() syscall.Errno) (errno syscall.Errno) {
	for range 50 {
		if errno = do(); errno != syscall.ENOENT {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return errno
}

// Getattr tells of a file.
func (n *node) Getattr(ctx context.Context, f fs.FileHandle, out *fuse.AttrOut) syscall.Errno {
	return settled(func() syscall.Errno { return n.LoopbackNode.Getattr(ctx, f, out) })
}

// Open opens a file.
func (n *node) Open(ctx context.Context, flags uint32) (fh fs.FileHandle, fuseFlags uint32, errno syscall.Errno) {
	errno = settled(func() syscall.Errno {
		fh, fuseFlags, errno = n.LoopbackNode.Open(ctx, flags)
		return errno
	})
	if errno == 0 {
		fh = handle{fh.(calls)}
	}
	return fh, fuseFlags, errno
}

// calls are those that open files pass on. The kernel may not go past them to the file
// below: it would not be seen writing.
type calls interface {
	fs.FileReader
	fs.FileWriter
	fs.FileReleaser
	fs.FileFlusher
	fs.FileGetattrer
	fs.FileSetattrer
	fs.FileLseeker
	fs.FileAllocater
}

// handle is an open file.
type handle struct{ calls }

// Mkdir makes a folder.
func (n *node) Mkdir(ctx context.Context, name string, mode uint32, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if errno := n.disk.suffer(true); errno != 0 {
		return nil, errno
	}
	path := n.at(name)
	if err := syscall.Mkdir(path, mode); err != nil {
		return nil, fs.ToErrno(err)
	}
	n.disk.made(path)
	return n.inode(ctx, path, out)
}

// Link gives a file another name.
func (n *node) Link(ctx context.Context, target fs.InodeEmbedder, name string, out *fuse.EntryOut) (*fs.Inode, syscall.Errno) {
	if errno := n.disk.suffer(true); errno != 0 {
		return nil, errno
	}
	other, ok := target.(*node)
	if !ok {
		return nil, syscall.EXDEV
	}
	path := n.at(name)
	if errno := settled(func() syscall.Errno { return fs.ToErrno(syscall.Link(other.at(""), path)) }); errno != 0 {
		return nil, errno
	}
	n.disk.made(path)
	return n.inode(ctx, path, out)
}

// Unlink takes a name away.
func (n *node) Unlink(ctx context.Context, name string) syscall.Errno {
	n.disk.removing(n.at(name))
	return n.LoopbackNode.Unlink(ctx, name)
}

// Rmdir takes a folder away.
func (n *node) Rmdir(_ context.Context, name string) syscall.Errno {
	path := n.at(name)
	entries, err := os.ReadDir(path)
	switch {
	case err != nil:
		return fs.ToErrno(err)
	case len(entries) > 0:
		return syscall.ENOTEMPTY
	}
	return fs.ToErrno(n.disk.removeFolder(path))
}

// Rename changes a name.
func (n *node) Rename(ctx context.Context, name string, parent fs.InodeEmbedder, newName string, flags uint32) syscall.Errno {
	other, ok := parent.(*node)
	if !ok {
		return syscall.EXDEV
	}
	n.disk.moving(n.at(name), other.at(newName))
	return n.LoopbackNode.Rename(ctx, name, parent, newName, flags)
}

// Setattr changes a file's size, among other things.
func (n *node) Setattr(ctx context.Context, f fs.FileHandle, in *fuse.SetAttrIn, out *fuse.AttrOut) syscall.Errno {
	if size, ok := in.GetSize(); ok {
		n.disk.writing(n.at(""), int64(size), 1<<40)
	}
	return settled(func() syscall.Errno { return n.LoopbackNode.Setattr(ctx, f, in, out) })
}

// Read reads.
func (n *node) Read(ctx context.Context, f fs.FileHandle, dest []byte, off int64) (fuse.ReadResult, syscall.Errno) {
	if errno := n.disk.suffer(false); errno != 0 {
		return nil, errno
	}
	reader, ok := f.(fs.FileReader)
	if !ok {
		return nil, syscall.EBADF
	}
	return reader.Read(ctx, dest, off)
}

// Write writes.
func (n *node) Write(ctx context.Context, f fs.FileHandle, data []byte, off int64) (uint32, syscall.Errno) {
	if errno := n.disk.suffer(true); errno != 0 {
		return 0, errno
	}
	writer, ok := f.(fs.FileWriter)
	if !ok {
		return 0, syscall.EBADF
	}
	n.disk.writing(n.at(""), off, int64(len(data)))
	return writer.Write(ctx, data, off)
}

// Allocate makes a file larger.
func (n *node) Allocate(ctx context.Context, f fs.FileHandle, off, size uint64, mode uint32) syscall.Errno {
	if errno := n.disk.suffer(true); errno != 0 {
		return errno
	}
	a, ok := f.(fs.FileAllocater)
	if !ok {
		return syscall.ENOTSUP
	}
	n.disk.writing(n.at(""), int64(off), int64(size))
	return a.Allocate(ctx, off, size, mode)
}

// Fsync makes a file's content stay, or the names in a folder. What is under the disk is
// not synced: its power does not fail.
func (n *node) Fsync(context.Context, fs.FileHandle, uint32) syscall.Errno {
	if errno := n.disk.suffer(false); errno != 0 {
		return errno
	}
	if n.IsDir() {
		n.disk.syncFolder(n.at(""))
	} else {
		n.disk.syncFile(n.real)
	}
	return 0
}

// OpendirHandle opens a folder whose syncs come to Fsync.
func (n *node) OpendirHandle(context.Context, uint32) (fs.FileHandle, uint32, syscall.Errno) {
	stream, errno := fs.NewLoopbackDirStream(n.at(""))
	if errno != 0 {
		return nil, 0, errno
	}
	return &folder{node: n, DirStream: stream}, 0, 0
}

// folder is one that is being read.
type folder struct {
	fs.DirStream
	node *node
}

// Readdirent returns the next name.
func (f *folder) Readdirent(context.Context) (*fuse.DirEntry, syscall.Errno) {
	if !f.HasNext() {
		return nil, 0
	}
	entry, errno := f.Next()
	return &entry, errno
}

// Releasedir ends the reading.
func (f *folder) Releasedir(context.Context, uint32) { f.Close() }

// Fsyncdir makes the names in the folder stay.
func (f *folder) Fsyncdir(ctx context.Context, flags uint32) syscall.Errno {
	return f.node.Fsync(ctx, nil, flags)
}
