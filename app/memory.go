package app

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"
)

// started is how long after a start what only the start needed is given back.
const started = 500 * time.Millisecond

// prepare starts what no request may need for long, and then returns the memory that only the
// start needed.
func (a *App) prepare(ctx context.Context) {
	if a.parts.readers != nil {
		a.parts.readers.Begin()
	}
	select {
	case <-ctx.Done():
	case <-time.After(started):
		debug.FreeOSMemory() // the runtime would keep it for later
		giveBackProgram()
	}
}

// giveBackProgram unmaps the pages of the program that this process has touched: a start
// touches half of them and needs few again. They stay in the system's cache, where those that are
// needed are found without a read, and workers have them too. Systems that do not tell which
// pages these are keep them.
func giveBackProgram() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	maps, err := os.ReadFile("/proc/self/smaps")
	if err != nil {
		return
	}
	for _, m := range cleanMappings(string(maps), program) {
		// Where the system refuses, they stay.
		_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, m.start, m.end-m.start, syscall.MADV_DONTNEED)
	}
}

// mapping is a stretch of this process's memory.
type mapping struct{ start, end uintptr }

// cleanMappings finds those mappings of a file in a process's smaps that are as the file is: nobody
// can write to them, and nobody has, as the loader has to what it then protects.
func cleanMappings(smaps, file string) (clean []mapping) {
	var m mapping
	var fixed bool // of this file, and nobody can write to it
	lines := bufio.NewScanner(strings.NewReader(smaps))
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) >= 6 && strings.Contains(words[0], "-") {
			_, err := fmt.Sscanf(words[0], "%x-%x", &m.start, &m.end)
			fixed = err == nil && strings.HasPrefix(words[1], "r-") && strings.HasSuffix(lines.Text(), " "+file)
		}
		if len(words) >= 2 && words[0] == "Anonymous:" {
			if fixed && words[1] == "0" {
				clean = append(clean, m)
			}
			fixed = false
		}
	}
	return clean
}
