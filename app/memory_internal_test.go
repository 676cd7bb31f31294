package app

import (
	"os"
	"slices"
	"testing"
)

// What the loader or anybody else has changed, or can, is not given back.
func TestOnlyWhatIsAsTheFileIsGivenBack(t *testing.T) {
	t.Parallel()
	const smaps = `00400000-00a99000 r--p 00000000 08:01 77     /opt/quern
Rss:                6000 kB
Anonymous:             0 kB
00a99000-0514f000 r-xp 00699000 08:01 77     /opt/quern
Anonymous:             0 kB
0514f000-08f63000 r--p 04d4f000 08:01 77     /opt/quern
Anonymous:             4 kB
08f63000-08fe1000 rw-p 08b63000 08:01 77     /opt/quern
Anonymous:             0 kB
0b82f000-0d85c000 rw-p 00000000 00:00 0
Anonymous:             0 kB
7f0000000000-7f0000100000 r-xp 00000000 08:01 9  /lib/libc.so
Anonymous:             0 kB
7f0000200000-7f0000300000 r-xp 00000000 08:01 9  /old/opt/quern
Anonymous:             0 kB
ffffffffff600000-ffffffffff601000 --xp 00000000 00:00 0 [vsyscall]
Anonymous:             0 kB
`
	want := []mapping{{0x400000, 0xa99000}, {0xa99000, 0x514f000}}
	if got := cleanMappings(smaps, "/opt/quern"); !slices.Equal(got, want) {
		t.Errorf("cleanMappings() = %x, want %x", got, want)
	}
}

// A program goes on once its pages were given back.
func TestTheProgramGoesOn(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/smaps"); err == nil {
		program, err := os.Readlink("/proc/self/exe")
		maps, failed := os.ReadFile("/proc/self/smaps")
		if err != nil || failed != nil || len(cleanMappings(string(maps), program)) == 0 {
			t.Errorf("cleanMappings(%s) = none, want some", program)
		}
	}
	giveBackProgram()
	if got := cleanMappings("", "/opt/quern"); got != nil {
		t.Errorf("cleanMappings() = %x, want none", got)
	}
}
