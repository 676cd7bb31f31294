package format

import (
	"bytes"
	"strings"
)

// signature is how files of a kind that is not read begin.
type signature struct {
	at     int // where the mark stands
	mark   string
	second string // what stands eight bytes from the beginning, too, where the mark alone does not tell
	what   string
}

// foreign is what people upload by mistake, the more telling marks first.
var foreign = []signature{
	{mark: "\x89PNG\r\n\x1a\n", what: "a picture (PNG)"},
	{mark: "\xff\xd8\xff", what: "a picture (JPEG)"},
	{mark: "GIF8", what: "a picture (GIF)"},
	{mark: "RIFF", second: "WEBP", what: "a picture (WebP)"},
	{mark: "II*\x00", what: "a picture (TIFF)"},
	{mark: "MM\x00*", what: "a picture (TIFF)"},
	{mark: "\x00\x00\x01\x00", what: "a picture (icon)"},
	{mark: "8BPS", what: "a picture (Photoshop)"},
	{mark: "RIFF", second: "WAVE", what: "a sound recording (WAV)"},
	{mark: "RIFF", second: "AVI ", what: "a film (AVI)"},
	{at: 4, mark: "ftyp", second: "heic", what: "a picture (HEIC)"},
	{at: 4, mark: "ftyp", second: "mif1", what: "a picture (HEIF)"},
	{at: 4, mark: "ftyp", second: "avif", what: "a picture (AVIF)"},
	{at: 4, mark: "ftyp", second: "M4A ", what: "a sound recording (M4A)"},
	{at: 4, mark: "ftyp", what: "a film (MP4)"},
	{mark: "\x1a\x45\xdf\xa3", what: "a film (Matroska or WebM)"},
	{mark: "FLV\x01", what: "a film (Flash)"},
	{mark: "\x00\x00\x01\xba", what: "a film (MPEG)"},
	{mark: "ID3", what: "a sound recording (MP3)"},
	{mark: "\xff\xfb", what: "a sound recording (MP3)"},
	{mark: "\xff\xf3", what: "a sound recording (MP3)"},
	{mark: "\xff\xf2", what: "a sound recording (MP3)"},
	{mark: "fLaC", what: "a sound recording (FLAC)"},
	{mark: "OggS", what: "a sound recording or film (Ogg)"},
	{mark: "\x7fELF", what: "a program (ELF)"},
	{mark: "\xcf\xfa\xed\xfe", what: "a program (Mach-O)"},
	{mark: "\xca\xfe\xba\xbe", what: "a program (Java or Mach-O)"},
	{mark: "\x00asm", what: "a program (WebAssembly)"},
	{mark: "7z\xbc\xaf\x27\x1c", what: "an archive (7z)"},
	{mark: "Rar!\x1a\x07", what: "an archive (RAR)"},
	{mark: "\xfd7zXZ\x00", what: "an archive (xz)"},
	{mark: "\x28\xb5\x2f\xfd", what: "an archive (Zstandard)"},
	{mark: "BZh", what: "an archive (bzip2)"},
	{at: 257, mark: "ustar", what: "an archive (tar)"},
	{mark: "SQLite format 3\x00", what: "a database (SQLite)"},
	{mark: "BM", what: "a picture (BMP)"},
	{mark: "MZ", what: "a program (Windows)"},
}

// refuseForeign refuses what is no text, by its name where it has one.
func refuseForeign(head []byte) error {
	const second = 8
	for _, s := range foreign {
		if hasAt(head, s.at, s.mark) && hasAt(head, second, s.second) {
			return refuse("the file is %s, which cannot be read as a table%s", s.what, s.advice())
		}
	}
	return errNotText
}

// advice is how what is in such a file can be read after all.
func (s signature) advice() string {
	if strings.HasPrefix(s.what, "an archive") {
		return "; pack its files as .zip, or upload them as they are"
	}
	return ""
}

func hasAt(head []byte, at int, mark string) bool {
	return len(head) >= at && bytes.HasPrefix(head[at:], []byte(mark))
}
