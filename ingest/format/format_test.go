package format_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"quern"
	"quern/ingest/format"
)

// FuzzDetect holds the sniffers to their promise for any file: it is refused
// with a sentence, or its records are read to the end, none wider than the
// header, and the second reading returns what the first one gave.
func FuzzDetect(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "a;b\r\n\"x;\ny\";2", "a\tb\r1\t2\r", "\xff\xfea\x00,\x00b\x00\n\x00", "\xef\xbb\xbfa|b\n", "name\nJos\xe9\n",
		`[{"a":1}]`, "{\"a\":1}\n{\"b\":2}\n", "<table><tr><td rowspan=3>1</table>", "PAR1", "%PDF-1.4", "PK\x03\x04", "\x1f\x8b\x08",
		"'a','b'\n'1','2'\n", "\"a", "\\\"", strings.Repeat("x,", 300), "plain text, with commas\nand lines\n", "\x00\x01\x02",
		"| a | b |\n|---|:-:|\n| 1 | x\\|y |\n", "a | b\n--|--\n1 | 2\n\n# H\n\n```\n# c\n", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		sheetFile(`<table:table table:name="A"><table:table-row table:number-rows-repeated="2"><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>`),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		dir := t.TempDir()
		path := filepath.Join(dir, "file")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		items, err := format.Expand(path, "file", dir, false)
		refused(t, err)
		for _, it := range items {
			kind, err := format.Detect(it.Path, it.Name)
			if refused(t, err); err != nil || kind == format.JSON || kind == format.NDJSON || kind == format.Parquet || kind == format.PDF {
				continue
			}
			tables, err := format.Tables(t.Context(), it.Path, kind, format.Options{})
			refused(t, err)
			for _, table := range tables {
				first, second := readAll(t, table), readAll(t, table)
				if first != second {
					t.Errorf("reading twice gives %q and %q", first, second)
				}
			}
		}
	})
}

// FuzzMarkdown holds Markdown to the same promise, which is told from other text
// by its name.
func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{"# A\n\ntext\n\n## B ##\n\nmore", "A\n===\n\nb | c\n-|-\n1 | 2 | 3\n", "```\n# x\n",
		"| **a** |\n|-|\n| \\| |", "---\ntitle: x\n---\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(t.TempDir(), "file.md")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := format.Tables(t.Context(), path, format.Markdown, format.Options{})
		refused(t, err)
		for _, table := range tables {
			if first, second := readAll(t, table), readAll(t, table); first != second {
				t.Errorf("reading twice gives %q and %q", first, second)
			}
		}
	})
}

// FuzzSheet holds OpenDocument spreadsheets to it, whatever stands in their
// sheets.
func FuzzSheet(f *testing.F) {
	for _, seed := range []string{
		`<table:table table:name="A"><table:table-row><table:table-cell office:value-type="float" office:value="1e3"/></table:table-row></table:table>`,
		`<table:table><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-spanned="2"><text:p>x<text:s/></text:p></table:table-cell></table:table-row></table:table>`,
		`<table:table><table:table-row>`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sheets string) {
		path := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(path, []byte(sheetFile(sheets)), 0o600); err != nil {
			t.Fatal(err)
		}
		tables, err := format.Tables(t.Context(), path, format.ODS, format.Options{})
		refused(t, err)
		for _, table := range tables {
			readAll(t, table)
		}
	})
}

// sheetFile makes an OpenDocument spreadsheet.
func sheetFile(sheets string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{"mimetype": "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml": "<office:spreadsheet>" + sheets + "</office:spreadsheet>"} {
		w, _ := z.Create(name)
		_, _ = w.Write([]byte(text))
	}
	_ = z.Close()
	return b.String()
}

// refused fails the test for an error that is not a refusal.
func refused(t *testing.T, err error) {
	t.Helper()
	if err != nil && !quern.Is(err, quern.Invalid) {
		t.Fatalf("error = %v, want a refusal", err)
	}
}

func readAll(t *testing.T, table format.Table) string {
	t.Helper()
	in, err := table.Open()
	if refused(t, err); err != nil {
		return ""
	}
	defer in.Close()
	var b bytes.Buffer
	for row := int64(1); ; row++ {
		rec, err := in.Next()
		fault, isFault := errors.AsType[*format.Fault](err)
		switch {
		case errors.Is(err, io.EOF):
			return b.String()
		case isFault:
			b.WriteString(fault.Error())
			continue
		case err != nil:
			refused(t, err)
			return b.String()
		}
		if len(rec.Cells) > len(in.Header()) || rec.Row != row {
			t.Fatalf("record %d has the number %d and %d cells under %d columns", row, rec.Row, len(rec.Cells), len(in.Header()))
		}
		for _, c := range rec.Cells {
			b.Write(c.Text)
			b.WriteByte('|')
		}
	}
}

// TestWhatIsNotReadIsNamed has the beginnings of files that people upload by mistake.
func TestWhatIsNotReadIsNamed(t *testing.T) {
	t.Parallel()
	tail := strings.Repeat("\x00\x01\x02\x03", 200)
	for data, want := range map[string]string{
		"\x89PNG\r\n\x1a\n" + tail:                             "the file is a picture (PNG), which cannot be read as a table",
		"\xff\xd8\xff\xe0\x00\x10JFIF" + tail:                  "the file is a picture (JPEG), which cannot be read as a table",
		"GIF89a" + tail:                                        "the file is a picture (GIF), which cannot be read as a table",
		"RIFF\x24\x08\x00\x00WEBPVP8 " + tail:                  "the file is a picture (WebP), which cannot be read as a table",
		"RIFF\x24\x08\x00\x00WAVEfmt " + tail:                  "the file is a sound recording (WAV), which cannot be read as a table",
		"\x00\x00\x00\x18ftypheic" + tail:                      "the file is a picture (HEIC), which cannot be read as a table",
		"\x00\x00\x00\x18ftypmp42" + tail:                      "the file is a film (MP4), which cannot be read as a table",
		"ID3\x04\x00" + tail:                                   "the file is a sound recording (MP3), which cannot be read as a table",
		"\x7fELF\x02\x01\x01" + tail:                           "the file is a program (ELF), which cannot be read as a table",
		"MZ\x90\x00" + tail:                                    "the file is a program (Windows), which cannot be read as a table",
		"7z\xbc\xaf\x27\x1c" + tail:                            "the file is an archive (7z), which cannot be read as a table; pack its files as .zip, or upload them as they are",
		"a.csv" + strings.Repeat("\x00", 252) + "ustar" + tail: "the file is an archive (tar), which cannot be read as a table; pack its files as .zip, or upload them as they are",
		"SQLite format 3\x00" + tail:                           "the file is a database (SQLite), which cannot be read as a table",
		"\x01\x02\x03\x04" + tail:                              "the file is binary and in no format that can be read",
	} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := format.Detect(path, "table.csv")
		if got, ok := format.Refused(err); !ok || got != want {
			t.Errorf("Detect(%.12q…) = %v, want %q", data, err, want)
		}
	}
}

// TestTextThatBeginsLikeSomethingElse has tables whose first letters are marks of files that are
// not read.
func TestTextThatBeginsLikeSomethingElse(t *testing.T) {
	t.Parallel()
	for _, data := range []string{"BM,n\nx,1\n", "MZ,n\nx,1\n", "ID3,n\nx,1\n", "GIF8,n\nx,1\n", "BZh,n\nx,1\n"} {
		path := filepath.Join(t.TempDir(), "table.csv")
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if kind, err := format.Detect(path, "table.csv"); kind != format.CSV || err != nil {
			t.Errorf("Detect(%q) = %q, %v, want %q", data, kind, err, format.CSV)
		}
	}
}
