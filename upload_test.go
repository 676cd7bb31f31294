package quern_test

import (
	"strings"
	"testing"

	"quern"
)

func TestPartSize(t *testing.T) {
	t.Parallel()
	const mib, tib = 1 << 20, 1 << 40
	for _, tt := range []struct {
		size, least int64
		want        int64
		parts       int
		last        int64
	}{
		{0, 8 * mib, 8 * mib, 1, 0},
		{1, 8 * mib, 8 * mib, 1, 1},
		{8 * mib, 8 * mib, 8 * mib, 1, 8 * mib},
		{8*mib + 1, 8 * mib, 8 * mib, 2, 1},
		{80_000 * mib, 8 * mib, 8 * mib, 10_000, 8 * mib},
		{80_000*mib + 1, 8 * mib, 16 * mib, 5001, 1},
		{5 * tib, 8 * mib, 528 * mib, 9930, 368 * mib},
		{10_000, 1, 1, 10_000, 1},
		{10_001, 1, 2, 5001, 1},
	} {
		f := quern.UploadFile{Size: tt.size, PartSize: quern.PartSize(tt.size, tt.least, 10_000)}
		_, last := f.Part(f.Parts())
		if f.PartSize != tt.want || f.Parts() != tt.parts || last != tt.last {
			t.Errorf("PartSize(%d, %d) = %d: %d parts, the last of %d, want %d: %d, %d", tt.size, tt.least, f.PartSize, f.Parts(), last, tt.want, tt.parts, tt.last)
		}
	}
}

// FuzzPartSize wants the parts to make up the file, whatever its size.
func FuzzPartSize(f *testing.F) {
	f.Add(int64(0), int64(1))
	f.Add(int64(5<<40), int64(8<<20))
	f.Fuzz(func(t *testing.T, size, least int64) {
		if size < 0 || size > 50_000<<30 || least < 1 || least > 5<<30 {
			return
		}
		file := quern.UploadFile{Size: size, PartSize: quern.PartSize(size, least, 10_000)}
		n := file.Parts()
		offset, last := file.Part(n)
		if n < 1 || n > 10_000 || file.PartSize < least || offset+last != size || last < 0 || last > file.PartSize || size > 0 && last == 0 {
			t.Errorf("PartSize(%d, %d) = %d: %d parts, the last of %d at %d", size, least, file.PartSize, n, last, offset)
		}
	})
}

func TestFilenameFault(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ".", "..", "../x", "/x", "x/", `a\b`, "a\x00b", "a\nb", "a\x7f", "a\u0085", "a\u2028b", "\xff", strings.Repeat("x", 1025), strings.Repeat("ä", 513)} {
		if quern.FilenameFault(name) == "" {
			t.Errorf("FilenameFault(%.40q) = nothing, want a reason", name)
		}
	}
	for _, name := range []string{"a", "a.csv", "…", "..a", "a b%2F", "ü.parquet", strings.Repeat("x", 1024), strings.Repeat("ä", 512)} {
		if reason := quern.FilenameFault(name); reason != "" {
			t.Errorf("FilenameFault(%.40q) = %q, want nothing", name, reason)
		}
	}
}
