package format

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// oldOffice tells what a compound file is, or why it cannot be read: documents of the
// time before 2007 are such files, and newer ones are wrapped in one when they are
// encrypted.
func oldOffice(file string) (Kind, error) {
	names, err := compoundNames(file)
	if err != nil {
		return "", err
	}
	has := func(name string) bool { return bytes.Contains(names, wideText(name)) }
	switch {
	case has("EncryptedPackage"):
		return "", refuse("the document is encrypted; save it without a password")
	case has("Workbook"):
		return OldExcel, nil
	case has("Book"):
		return "", errOldBook
	case has("WordDocument"):
		return "", refuse("the old binary Word format (.doc) is not read; save it as .docx")
	}
	return "", refuse("the file is a document of an old binary kind that is not read; save it as .xlsx, .docx or .csv")
}

func wideText(s string) (b []byte) {
	for _, c := range []byte(s) {
		b = append(b, c, 0)
	}
	return b
}

// compoundNames returns the part of a compound file where the names of what is in
// it stand first.
func compoundNames(file string) ([]byte, error) {
	head, err := beginning(file, 512)
	if err != nil || len(head) < 512 {
		return head, err
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size := int64(1) << min(binary.LittleEndian.Uint16(head[30:]), 16)
	names := make([]byte, 8<<10)
	n, err := f.ReadAt(names, (int64(binary.LittleEndian.Uint32(head[48:]))+1)*size)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return names[:n], err
}
