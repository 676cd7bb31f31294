// Command disk is a disk for tests, as bad as it is told to be: a folder mounted by FUSE
// over another one. It lives in a module of its own because its dependency has no place
// in the server's.
//
//	disk -dir FOLDER -mount FOLDER
//
// It prints "ready" once it is mounted, and obeys lines on its standard input, each
// answered by "done", or by a line that says why not:
//
//	full on|off       no byte more can be written
//	slow DURATION     every read, write and sync takes so much longer; 0s ends that
//	broken N          N of a hundred reads and writes fail; 0 ends that
//	cut               the power fails: whatever was not synced is as it was before
//
// A cut wants that nobody uses the disk. It ends, and unmounts, with its input.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hanwen/go-fuse/v2/fs"
	"github.com/hanwen/go-fuse/v2/fuse"
)

func main() {
	dir := flag.String("dir", "", "folder that holds the files")
	mount := flag.String("mount", "", "folder that is the disk")
	flag.Parse()
	if err := run(*dir, *mount); err != nil {
		fmt.Fprintln(os.Stderr, "disk:", err)
		os.Exit(1)
	}
}

func run(dir, mount string) error {
	if dir == "" || mount == "" {
		return errors.New("-dir and -mount are required")
	}
	if _, err := os.Stat("/dev/fuse"); err != nil {
		return fmt.Errorf("this machine has no FUSE, which disks of tests are made with: %w", err)
	}
	kept := filepath.Join(dir, "kept")
	files := filepath.Join(dir, "files")
	for _, d := range []string{kept, files, mount} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	d := &disk{files: files, kept: kept, dirty: map[uint64]*os.File{}}
	server, err := d.mount(mount)
	if err != nil {
		return fmt.Errorf("the disk cannot be mounted, which root alone may: %w", err)
	}
	defer func() { _ = server.Unmount() }() // what is left goes with the process
	fmt.Println("ready")
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "cut" {
			if err := unmount(server); err != nil {
				return fmt.Errorf("the disk is in use: %w", err)
			}
			undone := d.undo()
			if server, err = d.mount(mount); err != nil {
				return err
			}
			fmt.Println("done", undone)
			continue
		}
		if err := d.obey(word, rest); err != nil {
			return err
		}
		fmt.Println("done")
	}
	return nil
}

// unmount takes the disk away once nobody uses it. What a killed server started may take
// a moment to notice that it is gone.
func unmount(server *fuse.Server) (err error) {
	for range 300 {
		if err = server.Unmount(); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

func (d *disk) mount(at string) (*fuse.Server, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(d.files, &st); err != nil {
		return nil, err
	}
	loopback := &fs.LoopbackRoot{Path: d.files, Dev: st.Dev}
	root := &node{LoopbackNode: fs.LoopbackNode{RootData: loopback}, disk: d, real: st.Ino}
	loopback.RootNode = root
	second := time.Second
	return fs.Mount(at, root, &fs.Options{
		MountOptions: fuse.MountOptions{DirectMountStrict: true, FsName: "disk", Name: "disk", AllowOther: true, DisableXAttrs: true},
		EntryTimeout: &second, AttrTimeout: &second, NullPermissions: true,
	})
}

// obey changes how bad the disk is.
func (d *disk) obey(word, how string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var err error
	switch word {
	case "full":
		d.full = how == "on"
	case "slow":
		d.slow, err = time.ParseDuration(how)
	case "broken":
		d.broken, err = strconv.Atoi(how)
	default:
		err = fmt.Errorf("%q is no order", word)
	}
	return err
}
