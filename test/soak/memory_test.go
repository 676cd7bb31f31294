//go:build soak

package soak_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// room is how much more memory than it holds a server may take while memory is tight.
const room = 16 << 20

// memory is a control group whose memory can be tight: what is cached goes first, and
// the kernel kills the largest process of those that need more than there is.
type memory struct {
	folder  string
	usage   string // the file that tells what the group has
	limit   string // the file that takes the limit
	endless string // what it takes for none
}

// newMemory makes a group below the one of this process, of either version of control
// groups.
func newMemory(t *testing.T) *memory {
	t.Helper()
	m, err := ownGroup()
	if err == nil {
		m.folder = filepath.Join(m.folder, fmt.Sprintf("quern-soak-%d", os.Getpid()))
		err = os.Mkdir(m.folder, 0o700)
	}
	if err == nil {
		_, err = os.Stat(filepath.Join(m.folder, m.limit))
	}
	if err != nil {
		t.Fatalf("memory cannot be made tight: %v: this needs root and a control group for memory", err)
	}
	t.Cleanup(func() {
		err := os.Remove(m.folder)
		for range 100 { // killed processes take a moment to leave it
			if err == nil {
				return
			}
			time.Sleep(100 * time.Millisecond)
			err = os.Remove(m.folder)
		}
		t.Errorf("the control group stays: %v", err)
	})
	return m
}

// ownGroup is the control group for memory that this process is in.
func ownGroup() (*memory, error) {
	text, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return nil, err
	}
	var unified string
	for line := range strings.Lines(string(text)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		switch parts[1] {
		case "memory":
			return &memory{folder: filepath.Join("/sys/fs/cgroup/memory", parts[2]), usage: "memory.usage_in_bytes",
				limit: "memory.limit_in_bytes", endless: "-1"}, nil
		case "":
			unified = parts[2]
		}
	}
	return &memory{folder: filepath.Join("/sys/fs/cgroup", unified), usage: "memory.current",
		limit: "memory.max", endless: "max"}, nil
}

// members is the file that processes join the group by.
func (m *memory) members() string { return filepath.Join(m.folder, "cgroup.procs") }

// tighten leaves room for a little more than the group holds beside files, which can be
// read again.
func (m *memory) tighten() error {
	usage, err := os.ReadFile(filepath.Join(m.folder, m.usage))
	if err != nil {
		return err
	}
	limit, err := strconv.ParseInt(strings.TrimSpace(string(usage)), 10, 64)
	if err != nil {
		return err
	}
	stat, err := os.ReadFile(filepath.Join(m.folder, "memory.stat"))
	for line := range strings.Lines(string(stat)) {
		if name, size, _ := strings.Cut(strings.TrimSpace(line), " "); name == "inactive_file" || name == "active_file" {
			cached, err := strconv.ParseInt(size, 10, 64)
			if err != nil {
				return err
			}
			limit -= cached
		}
	}
	return errors.Join(err, m.set(strconv.FormatInt(limit+room, 10)))
}

// loosen takes the limit away.
func (m *memory) loosen() error { return m.set(m.endless) }

func (m *memory) set(limit string) error {
	return os.WriteFile(filepath.Join(m.folder, m.limit), []byte(limit), 0o600)
}
